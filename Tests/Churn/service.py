"""The service on one store, its gauges, and the clients that stay."""
import http.client, json, os, re, subprocess, threading, time

# The values of the gauges while no client is connected but the one that reads them.
GAUGES = {
    "usher_http_connections": 1, "usher_http_requests_in_flight": 1, "usher_http_requests_suspended": 0,
    "usher_http_handlers_abandoned": 0, "usher_listeners": 0}
TIMEOUT = 60


class Client:
    """One connection that is kept."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)

    def ask(self, method, path, body=None):
        content = None if body is None else json.dumps(body)
        self.connection.request(method, path, content, {"Content-Type": "application/json"})
        answer = self.connection.getresponse()
        return answer.status, answer.read().decode()

    def create(self, app):
        status, body = self.ask("POST", "/v1/sessions", {"app": app})
        assert status == 201, body
        return json.loads(body)["links"]["self"]

    def close(self):
        self.connection.close()


class Service:
    def __init__(self, usher, store, sessions):
        command = [usher, "serve", "--port", "0", "--store", store, "--apps", "pages,shop", "--log-level", "warning"]
        # All clients have one address.
        command += ["--max-streams-per-client", "3072"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        client = Client(self.port)
        self.sessions = [client.create("shop") for _ in range(sessions)]
        client.close()

    def stop(self):
        self.process.terminate()
        self.process.wait(60)
        self.process.stdout.close()

    def gauges(self):
        client = Client(self.port)
        status, text = client.ask("GET", "/metrics")
        client.close()
        assert status == 200, text
        found = {name: int(float(re.search(rf"^{name} (\S+)$", text, re.M)[1])) for name in (*GAUGES, "process_open_fds")}
        return found | {"threads": len(os.listdir(f"/proc/{self.process.pid}/task"))}

    def resident(self):
        """KiB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])


class Staying(threading.Thread):
    """A client that acts on a session of its own, a few times a second, and counts the answers that are not 200."""

    def __init__(self, service, sends_a_bad_request=False):
        super().__init__(daemon=True)
        self.client, self.sends_a_bad_request = Client(service.port), sends_a_bad_request
        self.session = self.client.create("pages")
        self.answered, self.others, self.is_over = 0, [], threading.Event()
        self.start()

    def run(self):
        try:
            while not self.is_over.wait(0.2):
                action = "none" if self.sends_a_bad_request and self.answered == 3 else ("next", "first")[self.answered % 2]
                status, body = self.client.ask("POST", f"{self.session}/actions/{action}")
                self.answered += 1
                if status != 200:
                    self.others.append(f"{status} {body}")
        except Exception as failure:
            self.others.append(repr(failure))
        finally:
            self.client.close()

    def end(self):
        self.is_over.set()
        self.join()
