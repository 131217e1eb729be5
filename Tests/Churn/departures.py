"""Clients that disconnect, each at one stage of a request."""
import random, socket, struct, time

# Clients of one stage that connect, act and disconnect together.
GROUP = 16
TIMEOUT = 30


class Departures:
    """Waves of clients that disconnect."""

    def __init__(self, service, seed):
        self.service, self.chance = service, random.Random(seed)
        self.counts = dict.fromkeys(self.stages(), 0)
        self.number = 0
        self.refusals = []

    def stages(self):
        return {
            "before-head": lambda client: None,
            "in-head": self.in_head,
            "in-body": self.in_body,
            "suspended": self.suspended,
            "in-answer": self.in_answer,
            "before-events": self.before_events,
            "in-events": self.in_events,
        }

    def run(self, seconds):
        """One wave: every stage in turn, again and again."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for stage, act in self.stages().items():
                self.depart(stage, act)

    def depart(self, stage, act):
        clients = [self.connect(small=stage == "in-answer") for _ in range(GROUP)]
        for client in clients:
            act(client)
        if stage in ("in-answer", "in-events"):
            for client in clients:
                self.read_beginning(client)
        for client in clients:
            self.disconnect(client)
        self.counts[stage] += len(clients)

    def connect(self, small=False):
        client = socket.socket()
        if small:
            # So that the answers do not fit into the buffers of the system.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(TIMEOUT)
        client.connect(("127.0.0.1", self.service.port))
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return client

    def disconnect(self, client):
        if self.chance.random() < 0.5:
            # A reset in the place of an orderly end.
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.close()

    def session(self):
        return self.chance.choice(self.service.sessions)

    def select_tab(self):
        """A request that changes its session whenever it comes."""
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

    def in_answer(self, client):
        client.sendall(b"GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n" * 40)

    def before_events(self, client):
        client.sendall(f"GET {self.session()}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def in_events(self, client):
        self.before_events(client)

    def read_beginning(self, client):
        """The first bytes of an answer."""
        data = b""
        while b"\r\n\r\n" not in data:
            piece = client.recv(1024)
            if not piece:
                break
            data += piece
        if not data.startswith(b"HTTP/1.1 200 "):
            self.refusals.append(f"a client that was to leave got {data[:400]}")
