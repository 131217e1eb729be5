"""The service under test as a child process, and a client of it."""
import atexit, functools, http.client, json, os, re, select, subprocess, time, urllib.request


class NotStarted(Exception):
    """The service ended before it printed its address, or did not print it in time."""


class Service:
    """`usher serve` on a free port of the loopback interface. It is killed at the end of this process at the latest.

    `executable` defaults to the environment variable USHER. `errors` receives the log; the default is the standard
    error of this process.
    """

    def __init__(self, *options, store="memory", port="0", executable=None, errors=None, environment=None):
        command = [executable or os.environ["USHER"], "serve", "--store", store, "--port", port, *options]
        self.errors, self.start_seconds = errors, None
        self._printed, self._began = b"", time.monotonic()
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, env={**os.environ, **(environment or {})})
        atexit.register(self.kill)

    @functools.cached_property
    def address(self):
        """The base URL. Waits until the service is ready; throws `NotStarted`."""
        address = self.read_address()
        self.start_seconds = time.monotonic() - self._began
        return address

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1])

    def read_address(self, seconds=60):
        """Returns the next URL that the service prints: first its own, then that of the admin server or the console."""
        end = time.monotonic() + seconds
        while b"\n" not in self._printed:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            data = os.read(self.process.stdout.fileno(), 4096) if ready else b""
            if not data:
                self.kill()
                raise NotStarted(f"The service did not start: {self.log() or 'its log is empty.'}")
            self._printed += data
        line, _, self._printed = self._printed.partition(b"\n")
        return line.decode().split()[-1]

    def log(self):
        """Returns the log so far, if it goes to a file."""
        if not hasattr(self.errors, "fileno"):
            return ""
        with open(f"/proc/self/fd/{self.errors.fileno()}", "rb") as file:
            return file.read().decode(errors="replace").strip()

    def request(self, method, path, body=None):
        """Sends a request on a new connection, and returns the JSON of the response. Throws if the status is no
        success."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=10) as response:
            content = response.read()
        return json.loads(content) if content else None

    def is_running(self):
        return self.process.poll() is None

    def kill(self):
        self.process.kill()
        self._release()

    def stop(self):
        """Stops the service as its operator does, and returns its exit status."""
        self.process.terminate()
        return self._release()

    def _release(self):
        atexit.unregister(self.kill)
        try:
            return self.process.wait(60)
        finally:
            if self.is_running():
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()

    def resident_kibibytes(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read())[1])

    def thread_count(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))


class Client:
    """A client on one persistent connection."""

    def __init__(self, port, timeout=60):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)

    def request(self, method, path, body=None, headers={}):
        """Returns the status and the text of the response."""
        content = None if body is None else json.dumps(body)
        self.connection.request(method, path, content, {"Content-Type": "application/json", **headers})
        response = self.connection.getresponse()
        return response.status, response.read().decode()

    def create_session(self, app):
        """Returns the path of a new session."""
        status, text = self.request("POST", "/v1/sessions", {"app": app})
        assert status == 201, text
        return json.loads(text)["links"]["self"]

    def close(self):
        self.connection.close()
