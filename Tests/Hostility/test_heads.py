"""Oversized heads through proxies with several services behind them.

A proxy takes a connection that ends without a response for a failed service, and asks the next one: a single request
could take all of them away. Each head gets a response, and other clients are served at once.
"""
import subprocess, unittest

from proxies import Proxy
from usher import Service
from wire import Wire

SERVICES = 3
# Bytes. The limit for heads is 16 KiB; many short headers and cookies reach it far below.
SIZES = [*range(1000, 18_000, 250), 30_000]
# A proxy refuses some heads itself, with 400. After a connection without a response it responds with 502.
EXPECTED = (200, 400, 431)


def filling(text, size, separator=b""):
    return separator.join([text] * (size // len(text + separator)))


# The header lines of a head of about this size.
KINDS = {
    "one header": lambda size: [b"A: " + filling(b"a", size)],
    "two headers": lambda size: [b"A: " + filling(b"a", size // 2), b"B: " + filling(b"b", size // 2)],
    "short headers": lambda size: [b"A: b"] * (size // 6),
    "a name": lambda size: [filling(b"N", size) + b": a"],
    "one cookie": lambda size: [b"Cookie: a=" + filling(b"a", size)],
    "cookies": lambda size: [b"Cookie: " + filling(b"name=" + b"v" * 50, size, b"; ")],
    "short cookies": lambda size: [b"Cookie: " + filling(b"a=b", size, b"; ")],
}


def status(port, *fields, line=b"GET /v1/apps HTTP/1.1"):
    """Returns the status of the response; None if there is none."""
    wire = Wire(port)
    try:
        wire.send(b"".join(text + b"\r\n" for text in (line, b"Host: a", *fields)) + b"\r\n")
        wire.wait(1, silence=0)
        responses = wire.responses()
    finally:
        wire.close()
    return responses[0].status if responses else None


class OversizedHeads:
    """The tests of each proxy."""

    @classmethod
    def setUpClass(cls):
        cls.services = [Service(errors=subprocess.DEVNULL) for _ in range(SERVICES)]
        cls.ports = [service.port for service in cls.services]

    @classmethod
    def tearDownClass(cls):
        for service in cls.services:
            service.kill()

    def violations(self, proxy):
        """Sends every kind and size. Returns descriptions of unexpected statuses, also those of other clients."""
        found = []
        for kind, fields in KINDS.items():
            for size in SIZES:
                own = status(proxy.port, *fields(size))
                others = [status(proxy.port) for _ in range(SERVICES)]
                if own not in EXPECTED or set(others) != {200}:
                    found.append(f"{kind} of {size} bytes: {own}, and other clients get {others}")
        return found

    def test_every_oversized_head_gets_a_response_while_other_clients_are_served(self):
        proxy = Proxy(self.kind, *self.ports, is_lenient=True)
        self.addCleanup(proxy.stop)
        found = self.violations(proxy)
        self.assertFalse(found, "\n" + "\n".join(found))

    def test_the_proxy_drops_cookies_that_the_service_does_not_need(self):
        proxy = Proxy(self.kind, *self.ports)
        self.addCleanup(proxy.stop)
        cookies = KINDS["cookies"](7000)
        self.assertEqual([status(self.ports[0], *cookies), status(proxy.port, *cookies)], [431, 200])


class Nginx(OversizedHeads, unittest.TestCase):
    kind = "nginx"


class HAProxy(OversizedHeads, unittest.TestCase):
    kind = "haproxy"
