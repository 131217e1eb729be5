"""The service, started for the tests and ended with them, and two sessions for each case."""
import atexit, json, os, subprocess, tempfile, time, urllib.error, urllib.request


class Service:
    def __init__(self):
        command = [os.environ["USHER"], "serve", "--port", "0", "--store", "memory"]
        log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        atexit.register(self.stop)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])
        self.library = self.logged(log, "libmicrohttpd")

    @staticmethod
    def logged(log, key):
        """The first value of the key in the log. Log lines have a thread of their own, so one may come after the address."""
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            with open(f"/proc/self/fd/{log.fileno()}") as lines:
                for line in lines:
                    if line.endswith("\n") and key in (entry := json.loads(line)):
                        return entry[key]
            time.sleep(0.01)
        raise AssertionError(f"The service logged no {key}.")

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(30)
        self.process.stdout.close()

    def lives(self):
        return self.process.poll() is None

    def ask(self, path, body=None):
        """What the service answers in JSON, on a connection of its own."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)

    def new_session(self):
        """The id of a session of `shop`, whose tabs can be selected at any time without an input."""
        return self.ask("/v1/sessions", {"app": "shop"})["session"]["id"]

    def acts(self, session):
        """How often anybody has acted on the session."""
        return self.ask(f"/v1/sessions/{session}")["session"]["revision"] - 1


SERVICE = Service()
