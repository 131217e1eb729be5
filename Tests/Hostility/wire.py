"""Sends bytes to a port of the loopback interface, and parses the responses."""
import select, socket, time

# Seconds of silence after which the test expects no further response. A response takes less, even on a busy machine.
SILENCE = 0.4
# Seconds.
TIMEOUT = 15


class Wire:
    """A connection that sends and receives bytes."""

    def __init__(self, port, is_head_request=False):
        self.is_head_request = is_head_request
        self.socket = socket.create_connection(("127.0.0.1", port), TIMEOUT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""
        self.is_closed = False

    def close(self):
        self.socket.close()

    def send(self, data):
        """Sends all bytes while reading. Stops if the peer closes the connection."""
        self.socket.setblocking(False)
        end = time.monotonic() + TIMEOUT
        while data and not self.is_closed and time.monotonic() < end:
            readable, writable, _ = select.select([self.socket], [self.socket], [], 1)
            if readable:
                self._receive()
            if writable and not self.is_closed:
                try:
                    data = data[self.socket.send(data):]
                except BlockingIOError:
                    pass
                except OSError:
                    self._drain()
        self.socket.setblocking(True)

    def wait(self, count, closes=False, silence=SILENCE):
        """Waits for the given number of responses and then for silence, or with `closes` until the peer closes the
        connection. Returns whether the peer closed it."""
        end = time.monotonic() + TIMEOUT
        while not self.is_closed and time.monotonic() < end:
            is_complete = not closes and len(self.responses()) >= count
            readable, _, _ = select.select([self.socket], [], [], silence if is_complete else end - time.monotonic())
            if readable:
                self._receive()
            elif is_complete:
                break
        return self.is_closed

    def responses(self):
        """The complete responses so far, without interim ones (1xx)."""
        found, rest = [], self.received
        while rest:
            response, rest = parse(rest, self.is_head_request)
            if response is None:
                break
            if response.status >= 200:
                found.append(response)
        return found

    def _receive(self):
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.received += data
        self.is_closed = not data

    def _drain(self):
        """Reads the bytes that arrived before the peer closed the connection."""
        while not self.is_closed:
            self._receive()


class Response:
    def __init__(self, status, fields, body):
        self.status = status
        self.fields = fields
        self.body = body


def parse(data, is_head=False):
    """Returns the first response and the remaining bytes, or None and all bytes if it is incomplete."""
    head, gap, rest = data.partition(b"\r\n\r\n")
    if not gap:
        return None, data
    line, *lines = head.decode("latin-1").split("\r\n")
    status = int(line.split()[1])
    fields = {name.lower(): value.strip() for name, _, value in (text.partition(":") for text in lines)}
    if is_head or status < 200 or status in (204, 304):
        return Response(status, fields, b""), rest
    if fields.get("transfer-encoding") == "chunked":
        return unchunked(status, fields, rest, data)
    size = int(fields.get("content-length", len(rest)))
    if len(rest) < size:
        return None, data
    return Response(status, fields, rest[:size]), rest[size:]


def unchunked(status, fields, rest, data):
    """Returns the same for a response with a chunked body."""
    body = b""
    while True:
        line, gap, rest = rest.partition(b"\r\n")
        size = int(line, 16) if gap else 0
        if not gap or len(rest) < size + 2:
            return None, data
        body, rest = body + rest[:size], rest[size + 2:]
        if size == 0:
            return Response(status, fields, body), rest
