"""The service as a process that can be killed, and a connection to it that knows when an answer was lost."""
import atexit, json, os, select, signal, socket, subprocess, tempfile, time


class Lost(Exception):
    """The connection ended before the answer was there: nobody knows whether the request was carried out."""


class NotStarted(Exception):
    """The service ended, or said nothing, instead of serving."""


class Answer:
    def __init__(self, status, body):
        self.status = status
        self.json = json.loads(body) if body else None


class Connection:
    """One connection that is kept. Raw, because the clients must not take the processor from the service."""

    def __init__(self, port):
        self.rest = b""
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), 30)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise Lost from error

    def close(self):
        self.socket.close()

    def ask(self, method, target, body=None, key=None):
        content = b"" if body is None else json.dumps(body).encode()
        head = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(content)}"]
        if body is not None:
            head.append("Content-Type: application/json")
        if key is not None:
            head.append(f"Idempotency-Key: {key}")
        try:
            self.socket.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + content)
            return self._answer()
        except TimeoutError:
            raise  # A service that hangs is a fault, not a crash.
        except OSError as error:
            raise Lost from error

    def _answer(self):
        while b"\r\n\r\n" not in self.rest:
            self._receive()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        status, *lines = head.decode().split("\r\n")
        lengths = [int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:")]
        length = lengths[0] if lengths else 0
        while len(self.rest) < length:
            self._receive()
        body, self.rest = self.rest[:length], self.rest[length:]
        return Answer(int(status.split()[1]), body)

    def _receive(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise Lost
        self.rest += data


class Service:
    """`usher serve` on a free port of the loopback."""

    running = set()

    def __init__(self, usher, store, environment=None):
        self.errors = tempfile.TemporaryFile()
        command = [usher, "serve", "--store", store, "--port", "0", "--history", "10000"]
        self.begin = time.monotonic()
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.errors, env={**os.environ, **(environment or {})})
        Service.running.add(self)

    def port(self, seconds=60):
        """The port, once it is served."""
        line, end = b"", time.monotonic() + seconds
        while not line.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))
            data = os.read(self.process.stdout.fileno(), 4096) if ready else b""
            if not data:
                self.kill()
                raise NotStarted(f"The service did not start: {self.said()}")
            line += data
        self.start_time = time.monotonic() - self.begin
        return int(line.rsplit(b":", 1)[1])

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace").strip() or "it said nothing."

    def lives(self):
        return self.process.poll() is None

    def kill(self):
        self.process.kill()
        self._end()

    def stop(self):
        """Asks it to stop; true if it did so properly."""
        self.process.send_signal(signal.SIGTERM)
        self._end()
        return self.process.returncode == 0

    def _end(self):
        try:
            self.process.wait(60)
        finally:
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
            self.process.stdout.close()
            Service.running.discard(self)


@atexit.register
def _kill_all():
    for service in list(Service.running):
        service.kill()
