"""A minimal HTTP/1.1 client on one persistent connection. It must take less processor time than the service."""
import asyncio


class ResponseLost(Exception):
    """The connection ended before the response. The outcome of the request is unknown."""


class Response:
    __slots__ = ("status", "head", "body")

    def __init__(self, status, head, body):
        self.status, self.head, self.body = status, head, body

    @property
    def is_replay(self):
        return b"\r\nIdempotency-Replayed: true" in self.head


class Connection:
    # Seconds.
    TIMEOUT = 45

    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def request(self, method, target, body=None, *headers):
        lines = [f"{method} {target} HTTP/1.1", "Host: usher", *headers]
        if body is not None:
            lines.append("Content-Type: application/json")
        if method == "POST":
            lines.append(f"Content-Length: {len(body or '')}")
        request = "\r\n".join(lines) + "\r\n\r\n" + (body or "")
        try:
            # The proxy closes idle connections.
            if self.writer is not None and self.reader.at_eof():
                self.close()
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
            timer = asyncio.get_running_loop().call_later(self.TIMEOUT, self.writer.transport.abort)
            try:
                self.writer.write(request.encode())
                return await self._response()
            finally:
                timer.cancel()
        except (OSError, EOFError) as error:
            self.close()
            raise ResponseLost from error

    async def _response(self):
        head = await self.reader.readuntil(b"\r\n\r\n")
        start = head.lower().index(b"\r\ncontent-length:") + len(b"\r\ncontent-length:")
        body = await self.reader.readexactly(int(head[start:head.index(b"\r", start)]))
        if b"\r\nConnection: close" in head:
            self.close()
        return Response(int(head[9:12]), head, body)

    def close(self):
        if self.writer is not None:
            self.writer.transport.abort()
        self.reader = self.writer = None
