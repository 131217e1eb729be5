"""The backend of the example app `checkout` as a child process."""
import atexit, contextlib, json, os, subprocess, sys, urllib.error, urllib.request

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Examples", "Backend", "backend.py")


class Backend:
    """`Examples/Backend` on a free port. It ends with this process at the latest."""

    def __init__(self, *options):
        self.process = subprocess.Popen(
            [sys.executable, PROGRAM, "--port", "0", "--with-parent", *options], stdout=subprocess.PIPE, text=True)
        atexit.register(self.stop)
        self.address = self.process.stdout.readline().strip()

    @property
    def option(self):
        """The option of `usher serve` that makes this the backend of the app."""
        return f"--service=tickets={self.address}"

    def fail(self, **fault):
        """Lets the next requests fail; see the program."""
        self._request("/faults", fault)

    def order(self, key, cents, quote="none"):
        """Opens a payment that no session has asked for."""
        order = {"quote": quote, "cents": cents, "callback": "http://127.0.0.1:9/"}
        with contextlib.suppress(urllib.error.HTTPError):
            self._request("/payments", order, {"Idempotency-Key": key})

    def refusals(self):
        """Returns the times of the failed requests for the quotes whose payments fail."""
        return json.loads(self._request("/faults"))

    def requests(self):
        """Returns the number of requests to each path."""
        return json.loads(self._request("/requests"))

    def settle(self, page, how="pay"):
        """Pays or declines on the page of a payment."""
        self._request(page.removeprefix(self.address) + "/" + how, {})

    def payments(self):
        return self.ledger()["payments"]

    def ledger(self):
        return json.loads(self._request("/ledger"))

    def stop(self):
        atexit.unregister(self.stop)
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def _request(self, path, body=None, headers=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, headers or {})
        with urllib.request.urlopen(request, timeout=30) as response:
            return response.read()
