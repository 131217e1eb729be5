"""A log reader that stalls: the pipe is full, and the service continues."""
import contextlib, fcntl, json, os, re, socket, subprocess, threading, unittest
from usher import Client, Service

# Seconds.
TIMEOUT = 20
F_SETPIPE_SZ = 1031


class ServiceWithStalledLog(Service):
    """A service whose log is a pipe of one page without a reader, optionally full from the start."""

    def __init__(self, *options, is_full=False, **arguments):
        self.reading, writing = os.pipe()
        fcntl.fcntl(writing, F_SETPIPE_SZ, 4096)
        if is_full:
            os.write(writing, b"-" * 4095 + b"\n")
        super().__init__(*options, errors=writing, **arguments)
        os.close(writing)

    def connect(self):
        return contextlib.closing(Client(self.port, TIMEOUT))

    def get(self, path):
        """Returns the status and the text of a response on a new connection."""
        with self.connect() as client:
            return client.request("GET", path)

    def dropped(self):
        text = self.get("/metrics")[1]
        return int(re.search(r"^usher_log_lines_dropped_total (\d+)$", text, re.M)[1])

    def read_log(self):
        """Reads the log until the process ends."""
        with os.fdopen(self.reading, errors="strict") as log:
            self.text = log.read()


class LogReader(unittest.TestCase):
    def start(self, *options, **arguments):
        service = ServiceWithStalledLog(*options, **arguments)
        self.addCleanup(service.kill)
        return service

    def assert_stops(self, service):
        service.process.terminate()
        self.assertEqual(service.process.wait(TIMEOUT), 0)

    def test_requests_succeed_while_the_pipe_is_full(self):
        for form in ("json", "text"):
            with self.subTest(form):
                service = self.start("--log-requests", "true", "--log-format", form)
                # A line has about 250 bytes, and the pipe holds 4,096.
                with service.connect() as client:
                    for _ in range(200):
                        self.assertEqual(client.request("GET", "/v1/apps")[0], 200)
                self.assertEqual(service.get("/livez")[0], 200)
                self.assert_stops(service)
                os.close(service.reading)

    def test_lines_that_exceed_the_queue_are_dropped_and_counted(self):
        service = self.start("--log-requests", "true")
        requests = 0
        with service.connect() as client:
            while service.dropped() < 500:
                self.assertLess(requests, 100_000)
                for _ in range(500):
                    # The request id is part of the log line, and makes it long.
                    client.request("GET", "/v1/apps", headers={"X-Request-Id": f"{requests}-" + "x" * 100})
                    requests += 1
        dropped = service.dropped()
        log = threading.Thread(target=service.read_log)
        log.start()
        self.assert_stops(service)
        log.join(TIMEOUT)
        lines = [json.loads(line) for line in service.text.splitlines()]
        counts = [re.match(r"(\d+) log lines were dropped", line["message"]) for line in lines]
        self.assertGreaterEqual(sum(int(match[1]) for match in counts if match), dropped)
        written = sum(line.get("route") == "/v1/apps" for line in lines)
        self.assertLess(written, requests)
        self.assertGreaterEqual(written + dropped, requests)

    def test_the_service_starts_while_the_pipe_is_full(self):
        service = self.start(is_full=True)
        self.assertEqual(service.get("/livez")[0], 200)
        self.assert_stops(service)
        os.close(service.reading)

    def test_a_failed_start_ends_while_the_pipe_is_full(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            service = self.start(is_full=True, port=str(taken.getsockname()[1]))
            self.assertEqual(service.process.wait(TIMEOUT), 1)
        os.close(service.reading)

    def test_a_failed_start_reports_the_reason(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            done = subprocess.run(
                [os.environ["USHER"], "serve", "--store", "memory", "--port", str(port)],
                capture_output=True, text=True, timeout=TIMEOUT)
        self.assertEqual(
            (done.returncode, done.stderr),
            (1, f"Error: Port {port} is already in use. Choose another one with --port.\n"))


if __name__ == "__main__":
    unittest.main()
