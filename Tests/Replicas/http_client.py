"""HTTP/1.1 over one kept connection, as little of it as the clients need: it has to cost less than what it measures."""
import asyncio


class Lost(Exception):
    """There was no answer. Whether the request was carried out is not known."""


class Answer:
    __slots__ = ("status", "head", "body")

    def __init__(self, status, head, body):
        self.status, self.head, self.body = status, head, body

    @property
    def is_replay(self):
        return b"\r\nIdempotency-Replayed: true" in self.head


class Connection:
    PATIENCE = 45

    def __init__(self, port):
        self.port = port
        self.reader = self.writer = None

    async def ask(self, method, target, body=None, *headers):
        lines = [f"{method} {target} HTTP/1.1", "Host: usher", *headers]
        if body is not None:
            lines.append("Content-Type: application/json")
        if method == "POST":
            lines.append(f"Content-Length: {len(body or '')}")
        request = "\r\n".join(lines) + "\r\n\r\n" + (body or "")
        try:
            # The proxy closes what has been idle for long.
            if self.writer is not None and self.reader.at_eof():
                self.close()
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
            watch = asyncio.get_running_loop().call_later(self.PATIENCE, self.writer.transport.abort)
            try:
                self.writer.write(request.encode())
                return await self._answer()
            finally:
                watch.cancel()
        except (OSError, EOFError) as error:
            self.close()
            raise Lost from error

    async def _answer(self):
        head = await self.reader.readuntil(b"\r\n\r\n")
        start = head.lower().index(b"\r\ncontent-length:") + len(b"\r\ncontent-length:")
        body = await self.reader.readexactly(int(head[start:head.index(b"\r", start)]))
        if b"\r\nConnection: close" in head:
            self.close()
        return Answer(int(head[9:12]), head, body)

    def close(self):
        if self.writer is not None:
            self.writer.transport.abort()
        self.reader = self.writer = None
