"""Bytes to a port of the loopback, and the responses that come back."""
import select, socket, time

# A response comes sooner, even on a busy machine; what does not come is waited for as long.
SILENCE = 0.4
PATIENCE = 15


class Wire:
    """One connection."""

    def __init__(self, port, asks_for_heads=False):
        self.asks_for_heads = asks_for_heads
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""
        self.is_closed = False

    def close(self):
        self.socket.close()

    def send(self, data):
        """All of it, reading meanwhile; less where the other side closes."""
        self.socket.setblocking(False)
        end = time.monotonic() + PATIENCE
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
        """Until there are as many responses and then silence, or the other side closes, which may be waited for. True if it did."""
        end = time.monotonic() + PATIENCE
        while not self.is_closed and time.monotonic() < end:
            is_enough = not closes and len(self.responses()) >= count
            readable, _, _ = select.select([self.socket], [], [], silence if is_enough else end - time.monotonic())
            if readable:
                self._receive()
            elif is_enough:
                break
        return self.is_closed

    def responses(self):
        """The whole responses so far, without those that only say to go on."""
        found, rest = [], self.received
        while rest:
            response, rest = parse(rest, self.asks_for_heads)
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
        """What had come before the other side closed."""
        while not self.is_closed:
            self._receive()


class Response:
    def __init__(self, status, fields, body):
        self.status = status
        self.fields = fields
        self.body = body


def parse(data, is_head=False):
    """The first response and what follows it; None where it is not whole."""
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
    body = b""
    while True:
        line, gap, rest = rest.partition(b"\r\n")
        size = int(line, 16) if gap else 0
        if not gap or len(rest) < size + 2:
            return None, data
        body, rest = body + rest[:size], rest[size + 2:]
        if size == 0:
            return Response(status, fields, body), rest
