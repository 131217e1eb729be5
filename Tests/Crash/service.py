"""The service on a session file, and a connection to it that reports lost responses."""
import json, socket, tempfile

from usher import Service


def start_service(usher, file, environment=None):
    """Starts the service on a session file. Its log is a temporary file."""
    return Service(
        "--history", "10000", store=f"sqlite:{file}", executable=usher, errors=tempfile.TemporaryFile(),
        environment=environment)


class ResponseLost(Exception):
    """The connection ended before the response. The outcome of the request is unknown."""


class Response:
    def __init__(self, status, body):
        self.status = status
        self.json = json.loads(body) if body else None


class Connection:
    """A persistent connection. It uses the socket directly, which takes little processor time from the service."""

    def __init__(self, port):
        self.rest = b""
        try:
            self.socket = socket.create_connection(("127.0.0.1", port), 30)
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            raise ResponseLost from error

    def close(self):
        self.socket.close()

    def request(self, method, target, body=None, key=None):
        content = b"" if body is None else json.dumps(body).encode()
        head = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(content)}"]
        if body is not None:
            head.append("Content-Type: application/json")
        if key is not None:
            head.append(f"Idempotency-Key: {key}")
        try:
            self.socket.sendall("\r\n".join(head).encode() + b"\r\n\r\n" + content)
            return self._response()
        except TimeoutError:
            raise  # The service was not killed, so a timeout is a fault.
        except OSError as error:
            raise ResponseLost from error

    def _response(self):
        while b"\r\n\r\n" not in self.rest:
            self._receive()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        status, *lines = head.decode().split("\r\n")
        lengths = [int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:")]
        length = lengths[0] if lengths else 0
        while len(self.rest) < length:
            self._receive()
        body, self.rest = self.rest[:length], self.rest[length:]
        return Response(int(status.split()[1]), body)

    def _receive(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise ResponseLost
        self.rest += data
