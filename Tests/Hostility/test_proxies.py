"""Hostile requests through proxies: none bypasses the proxy, and every client gets its own response."""
import json, unittest

from cases import Outcome, failures_of
from corpus.case import SMUGGLED, Case, post
from proxies import Proxy
from service import SERVICE
from vulnerable_proxy import VulnerableProxy
from wire import Wire

# Requests of another client that share the connection to the service with the hostile request.
NEIGHBOURS = 3
NO_RESPONSE = "no response"

IN_THE_OPEN = Case("in the open", post() + SMUGGLED, ())


class Neighbour:
    """A client that requests its own session, with a mark in the request id."""

    def __init__(self):
        self.session = SERVICE.new_session()

    def request(self, port, mark):
        """Returns a description of a wrong response, NO_RESPONSE, or None if the response is right."""
        wire = Wire(port)
        try:
            wire.send(
                f"GET /v1/sessions/{self.session} HTTP/1.1\r\nHost: a\r\nX-Request-Id: {mark}\r\n\r\n".encode())
            wire.wait(1, silence=0.02)
            responses = wire.responses()
        finally:
            wire.close()
        if len(responses) != 1:
            return f"{len(responses)} responses: {wire.received[:200]!r}"
        response = responses[0]
        # If the service has closed the connection, the proxy responds itself, without a mark.
        if response.status in (502, 503, 504) and "x-request-id" not in response.fields:
            return NO_RESPONSE
        if response.status != 200 or response.fields.get("x-request-id") != mark:
            return f"the response {response.status} for {response.fields.get('x-request-id')}"
        found = json.loads(response.body)["session"]["id"]
        return None if found == self.session else f"the session {found}"


class ProxyChecks:
    """The requirements behind every proxy. Checks return descriptions of violations."""

    def __init__(self, proxy):
        self.proxy = proxy
        self.neighbour = Neighbour()

    def check(self, case):
        outcome = Outcome(case, self.proxy.port, silence=0.1)
        try:
            results = [self.neighbour.request(self.proxy.port, f"mark-{number}") for number in range(NEIGHBOURS)]
        finally:
            outcome.wire.close()
        if all(result == NO_RESPONSE for result in results):
            return f"{case.name}: a neighbour gets no response"
        wrong = [result for result in results if result not in (None, NO_RESPONSE)]
        if wrong:
            return f"{case.name}: a neighbour gets {wrong}"
        in_the_open, hidden = outcome.action_counts()
        is_bypassed = hidden or in_the_open > max(case.acts, 1)
        return f"{case.name}: a request bypassed the proxy, {outcome}" if is_bypassed else None


class ProxyCase:
    """The tests of each proxy."""

    @classmethod
    def setUpClass(cls):
        cls.proxy = Proxy(cls.kind, SERVICE.port, is_lenient=cls.is_lenient)

    @classmethod
    def tearDownClass(cls):
        # The proxy keeps connections to the service until it stops.
        cls.proxy.stop()
        SERVICE.assert_no_leaks()

    def test_no_request_bypasses_the_proxy_and_every_client_gets_its_own_response(self):
        failures = failures_of(ProxyChecks(self.proxy).check, concurrent_cases=1)
        self.assertFalse(failures, "\n" + "\n".join(failures))

    def test_the_proxy_denies_a_request_that_the_service_accepts(self):
        outcomes = [Outcome(IN_THE_OPEN, port, 2) for port in (self.proxy.port, SERVICE.port)]
        for outcome in outcomes:
            outcome.wire.close()
        found = [(outcome.statuses, outcome.action_counts()) for outcome in outcomes]
        self.assertEqual(found, [((200, 403), (1, 0)), ((200, 200), (1, 1))])

    def tearDown(self):
        self.assertTrue(SERVICE.is_running() and self.proxy.is_running())


class Nginx(ProxyCase, unittest.TestCase):
    kind, is_lenient = "nginx", False


class LenientNginx(ProxyCase, unittest.TestCase):
    kind, is_lenient = "nginx", True


class HAProxy(ProxyCase, unittest.TestCase):
    kind, is_lenient = "haproxy", False


class LenientHAProxy(ProxyCase, unittest.TestCase):
    kind, is_lenient = "haproxy", True


class DetectingViolations(unittest.TestCase):
    """Proves that the checks detect violations."""

    def setUp(self):
        self.proxy = VulnerableProxy(SERVICE.port)
        self.addCleanup(self.proxy.stop)

    def test_a_response_to_the_wrong_client_is_detected(self):
        self.assertIn("a neighbour gets ['the response 200 for", ProxyChecks(self.proxy).check(IN_THE_OPEN))

    def test_a_request_that_bypasses_the_proxy_is_detected(self):
        last = Case("the last on its connection", SMUGGLED, ())
        self.assertIn("a request bypassed the proxy", ProxyChecks(self.proxy).check(last))
