"""A vulnerable proxy: it forwards all bytes that arrive at once as one request, and the next response as its
response."""
import socket, threading

from wire import parse


class VulnerableProxy:
    def __init__(self, service):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.upstream = socket.create_connection(("127.0.0.1", service), 10)
        self.received = b""
        threading.Thread(target=self._serve, daemon=True).start()

    def stop(self):
        self.listener.close()
        self.upstream.close()

    def _serve(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            with client:
                client.settimeout(2)
                self.upstream.sendall(client.recv(1 << 16))
                client.sendall(self._next_response())

    def _next_response(self):
        while True:
            response, rest = parse(self.received)
            if response is not None:
                whole, self.received = self.received[:len(self.received) - len(rest)], rest
                return whole
            data = self.upstream.recv(1 << 16)
            if not data:
                return b""
            self.received += data
