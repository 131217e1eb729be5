"""Measures the actions of other sessions while a backend hangs."""
import http.client, json, socket, tempfile, threading
from measure import USHER, Loaded, Process, free_port, interleaved, row, wait_for

SESSIONS, HANGING = 1000, 64


class Served(Loaded):
    """`usher serve` with sessions of `pages`, and with the app `checkout`, whose backend accepts connections and never
    answers."""

    def __init__(self):
        self.backend = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port, self.ids, self.app = free_port(), tempfile.mktemp(), "pages"
        address = f"http://127.0.0.1:{self.backend.getsockname()[1]}"
        Process.__init__(
            self, USHER, "serve", "--port", self.port, "--store", "memory", "--log-level", "error", "--service",
            f"tickets={address}")
        wait_for(self.port)
        with open(self.ids, "w") as ids:
            ids.writelines(session + "\n" for session in self.create("pages", SESSIONS))
        self.is_over = threading.Event()

    def create(self, app, count):
        """Creates sessions, and returns their ids."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"Content-Type": "application/json"}
        for _ in range(count):
            connection.request("POST", "/v1/sessions", json.dumps({"app": app}), headers)
            session = json.loads(connection.getresponse().read())["session"]["id"]
            if app == "checkout":
                connection.request("POST", f"/v1/sessions/{session}/actions/choose", '{"kind": "day"}', headers)
                connection.getresponse().read()
            yield session
        connection.close()

    def hang(self):
        """Keeps effects waiting for the backend, until the service stops. Each fails after 12 seconds."""
        def run():
            while not self.is_over.wait(6):
                list(self.create("checkout", HANGING))

        list(self.create("checkout", HANGING))
        threading.Thread(target=run, daemon=True).start()

    def stop(self):
        self.is_over.set()
        super().stop()
        self.backend.close()


def run():
    quiet, hanging = Served(), Served()
    hanging.hang()
    less, more = interleaved(quiet, hanging)
    row(
        "(i) pages: actions/s while a backend hangs, to those without", f"{more[0] / less[0]:.2f}  "
        f"({more[0]:.0f} to {less[0]:.0f})", ">= 0.9", more[0] / less[0] >= 0.9)
    row(
        "(i) pages: p99 while a backend hangs, to that without", f"{more[1] / less[1]:.2f}  "
        f"({more[1]:.2f} to {less[1]:.2f} ms)", "<= 1.1", more[1] / less[1] <= 1.1)
    quiet.stop()
    hanging.stop()
