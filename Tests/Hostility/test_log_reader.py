"""Whatever reads the log stalls: its pipe is full, and the service goes on."""
import contextlib, fcntl, http.client, json, os, re, socket, subprocess, threading, unittest

PATIENCE = 20
F_SETPIPE_SZ = 1031


class StalledLog:
    """`usher serve` with its standard error in a pipe of one page that nobody reads, already full if wanted."""

    def __init__(self, *options, is_full=False):
        self.reading, writing = os.pipe()
        fcntl.fcntl(writing, F_SETPIPE_SZ, 4096)
        if is_full:
            os.write(writing, b"-" * 4095 + b"\n")
        command = [os.environ["USHER"], "serve", "--store", "memory", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=writing, text=True)
        os.close(writing)

    def wait_until_it_serves(self):
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def connect(self):
        return contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE))

    def request(self, connection, path, **headers):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode()

    def request_anew(self, path):
        with self.connect() as connection:
            return self.request(connection, path)

    def dropped(self):
        text = self.request_anew("/metrics")[1]
        return int(re.search(r"^usher_log_lines_dropped_total (\d+)$", text, re.M)[1])

    def read_log(self):
        """Everything until the process ends."""
        with os.fdopen(self.reading, errors="strict") as log:
            self.text = log.read()

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stdout.close()


class LogReader(unittest.TestCase):
    def start(self, *options, **arguments):
        service = StalledLog(*options, **arguments)
        self.addCleanup(service.close)
        return service

    def ends(self, service):
        service.process.terminate()
        self.assertEqual(service.process.wait(PATIENCE), 0)

    def test_a_full_pipe_stops_nothing(self):
        for form in ("json", "text"):
            with self.subTest(form):
                service = self.start("--port", "0", "--log-requests", "true", "--log-format", form)
                service.wait_until_it_serves()
                # Each line has some 250 bytes, and the pipe holds 4,096.
                with service.connect() as connection:
                    for _ in range(200):
                        self.assertEqual(service.request(connection, "/v1/apps")[0], 200)
                self.assertEqual(service.request_anew("/livez")[0], 200)
                self.ends(service)
                os.close(service.reading)

    def test_lines_that_do_not_fit_are_dropped_and_counted(self):
        service = self.start("--port", "0", "--log-requests", "true")
        service.wait_until_it_serves()
        requests = 0
        with service.connect() as connection:
            while service.dropped() < 500:
                self.assertLess(requests, 100_000)
                for _ in range(500):
                    # The id stands in the line, and makes it long.
                    service.request(connection, "/v1/apps", **{"X-Request-Id": f"{requests}-" + "x" * 100})
                    requests += 1
        dropped = service.dropped()
        log = threading.Thread(target=service.read_log)
        log.start()
        self.ends(service)
        log.join(PATIENCE)
        lines = [json.loads(line) for line in service.text.splitlines()]
        counts = [re.match(r"(\d+) log lines were dropped", line["message"]) for line in lines]
        self.assertGreaterEqual(sum(int(match[1]) for match in counts if match), dropped)
        written = sum(line.get("route") == "/v1/apps" for line in lines)
        self.assertLess(written, requests)
        self.assertGreaterEqual(written + dropped, requests)

    def test_it_starts_on_a_full_pipe(self):
        service = self.start("--port", "0", is_full=True)
        service.wait_until_it_serves()
        self.assertEqual(service.request_anew("/livez")[0], 200)
        self.ends(service)
        os.close(service.reading)

    def test_a_start_that_fails_ends_on_a_full_pipe(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            service = self.start("--port", str(taken.getsockname()[1]), is_full=True)
            self.assertEqual(service.process.wait(PATIENCE), 1)
        os.close(service.reading)

    def test_a_start_that_fails_says_why(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            done = subprocess.run(
                [os.environ["USHER"], "serve", "--store", "memory", "--port", str(port)],
                capture_output=True, text=True, timeout=PATIENCE)
        sentence = f"Error: Port {port} of 127.0.0.1 is already in use. Choose another one with --port.\n"
        self.assertEqual((done.returncode, done.stderr), (1, sentence))


if __name__ == "__main__":
    unittest.main()
