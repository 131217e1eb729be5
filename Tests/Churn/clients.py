"""The clients. Some disconnect, each at one stage of a request, and others stay connected."""
import random, socket, struct, threading, time
from usher import Client

# The number of clients that connect, act and disconnect together.
GROUP = 16
# Seconds.
TIMEOUT = 30


class DisconnectingClients:
    """Waves of clients that disconnect."""

    def __init__(self, service, seed):
        self.service, self.chance = service, random.Random(seed)
        self.counts = dict.fromkeys(self.stages(), 0)
        self.number = 0
        self.failures = []

    def stages(self):
        return {
            "before-head": lambda client: None,
            "in-head": self.in_head,
            "in-body": self.in_body,
            "suspended": self.suspended,
            "waiting": self.waiting,
            "in-response": self.in_response,
            "before-events": self.before_events,
            "in-events": self.in_events,
        }

    def run_wave(self, seconds):
        """Runs one wave, in which groups of clients disconnect at one stage after another."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for stage, act in self.stages().items():
                self.disconnect_at(stage, act)

    def disconnect_at(self, stage, act):
        clients = [self.connect(with_small_buffer=stage == "in-response") for _ in range(GROUP)]
        for client in clients:
            act(client)
        if stage in ("in-response", "in-events"):
            for client in clients:
                self.read_beginning(client)
        for client in clients:
            self.disconnect(client)
        self.counts[stage] += len(clients)

    def connect(self, with_small_buffer=False):
        client = socket.socket()
        if with_small_buffer:
            # The responses exceed the buffers of the system.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(TIMEOUT)
        client.connect(("127.0.0.1", self.service.port))
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return client

    def disconnect(self, client):
        if self.chance.random() < 0.5:
            # Makes close() reset the connection.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()

    def session(self):
        return self.chance.choice(self.service.sessions)

    def select_tab(self):
        """Returns a request that changes a session in any state."""
        self.number += 1
        tab = ("learn", "main")[self.number // len(self.service.sessions) % 2]
        session = self.service.sessions[self.number % len(self.service.sessions)]
        return f"POST {session}/tabs/{tab} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n".encode()

    def in_head(self, client):
        head = self.select_tab()
        client.sendall(head[:self.chance.randrange(1, len(head) - 2)])

    def in_body(self, client):
        size = self.chance.randrange(1, 4000)
        head = f"POST {self.session()}/actions/none HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n"
        client.sendall(head.encode() + b" " * self.chance.randrange(size))

    def suspended(self, client):
        client.sendall(self.select_tab())

    def waiting(self, client):
        """Requests an effect from any screen of the session, and waits for it."""
        self.number += 1
        session = self.service.working_sessions[self.number % len(self.service.working_sessions)]
        work = '{"seconds": 1, "fails": false}'
        requests = (("back", ""), ("actions/background", ""), ("actions/work", work))
        client.sendall("".join(
            f"POST {session}/{path} HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=20\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}"
            for path, body in requests).encode())

    def in_response(self, client):
        client.sendall(b"GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40)

    def before_events(self, client):
        client.sendall(f"GET {self.session()}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def in_events(self, client):
        self.before_events(client)

    def read_beginning(self, client):
        """Reads the head of a response."""
        data = b""
        while b"\r\n\r\n" not in data:
            piece = client.recv(1024)
            if not piece:
                break
            data += piece
        if not data.startswith(b"HTTP/1.1 200 "):
            self.failures.append(f"A disconnecting client got an error: {data[:400]}")


class StayingClient(threading.Thread):
    """A client that acts on a session of its own a few times a second, and collects the responses other than 200."""

    def __init__(self, service, sends_invalid_request=False):
        super().__init__(daemon=True)
        self.client, self.sends_invalid_request = Client(service.port), sends_invalid_request
        self.session = self.client.create_session("pages")
        self.responses, self.failures, self.is_over = 0, [], threading.Event()
        self.start()

    def run(self):
        try:
            while not self.is_over.wait(0.2):
                action = ("next", "first")[self.responses % 2]
                if self.sends_invalid_request and self.responses == 3:
                    action = "none"
                status, body = self.client.request("POST", f"{self.session}/actions/{action}")
                self.responses += 1
                if status != 200:
                    self.failures.append(f"{status} {body}")
        except Exception as failure:
            self.failures.append(repr(failure))
        finally:
            self.client.close()

    def end(self):
        self.is_over.set()
        self.join()
