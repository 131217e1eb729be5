"""Through a proxy: nothing gets past it, and everybody gets their own answer."""
import json, unittest

from cases import Outcome, each
from corpus.case import SMUGGLED, Case, post
from proxies import Proxy
from relay import Relay
from service import SERVICE
from wire import Wire

# Of others, on the one connection to the service that the hostile request came on.
NEIGHBOURS = 3

IN_THE_OPEN = Case("in the open", post() + SMUGGLED, ())


class Neighbour:
    """Somebody who asks for their own session, with a mark."""

    def __init__(self):
        self.session = SERVICE.new_session()

    def ask(self, port, mark):
        """What is wrong with the answer; None for nothing."""
        wire = Wire(port)
        try:
            wire.send(
                f"GET /v1/sessions/{self.session} HTTP/1.1\r\nHost: a\r\nX-Request-Id: {mark}\r\n\r\n".encode())
            wire.wait(1, silence=0.02)
            answers = wire.responses()
        finally:
            wire.close()
        if len(answers) != 1:
            return f"{len(answers)} answers: {wire.received[:200]!r}"
        answer = answers[0]
        # A proxy says by itself that the service has closed the connection meanwhile; such an answer has no mark.
        if answer.status in (502, 503, 504) and "x-request-id" not in answer.fields:
            return "none"
        if answer.status != 200 or answer.fields.get("x-request-id") != mark:
            return f"the answer {answer.status} of {answer.fields.get('x-request-id')}"
        found = json.loads(answer.body)["session"]["id"]
        return None if found == self.session else f"the session {found}"


class ProxyChecks:
    """What holds behind every proxy, told as what does not."""

    def __init__(self, proxy):
        self.proxy = proxy
        self.neighbour = Neighbour()

    def check(self, case):
        outcome = Outcome(case, self.proxy.port, silence=0.1)
        try:
            answers = [self.neighbour.ask(self.proxy.port, f"mark-{number}") for number in range(NEIGHBOURS)]
        finally:
            outcome.wire.close()
        if all(answer == "none" for answer in answers):
            return f"{case.name}: a neighbour gets no answer"
        wrong = [answer for answer in answers if answer not in (None, "none")]
        if wrong:
            return f"{case.name}: a neighbour gets {wrong}"
        acts = outcome.acts()
        return f"{case.name}: the proxy was passed, {outcome}" if acts[1] or acts[0] > max(case.acts, 1) else None


class ProxyCase:
    """One of the proxies."""

    @classmethod
    def setUpClass(cls):
        cls.proxy = Proxy(cls.kind, SERVICE.port, cls.is_lenient)

    @classmethod
    def tearDownClass(cls):
        cls.proxy.stop()

    def test_nothing_gets_past_the_proxy_and_everybody_gets_their_own_answer(self):
        failures = each(ProxyChecks(self.proxy).check, together=1)
        self.assertFalse(failures, "\n" + "\n".join(failures))

    def test_what_is_asked_in_the_open_is_forbidden_by_the_proxy_and_not_by_the_service(self):
        outcomes = [Outcome(IN_THE_OPEN, port, 2) for port in (self.proxy.port, SERVICE.port)]
        for outcome in outcomes:
            outcome.wire.close()
        found = [(outcome.answers, outcome.acts()) for outcome in outcomes]
        self.assertEqual(found, [((200, 403), (1, 0)), ((200, 200), (1, 1))])

    def tearDown(self):
        self.assertTrue(SERVICE.lives() and self.proxy.lives())


class Nginx(ProxyCase, unittest.TestCase):
    kind, is_lenient = "nginx", False


class LenientNginx(ProxyCase, unittest.TestCase):
    kind, is_lenient = "nginx", True


class HAProxy(ProxyCase, unittest.TestCase):
    kind, is_lenient = "haproxy", False


class LenientHAProxy(ProxyCase, unittest.TestCase):
    kind, is_lenient = "haproxy", True


class BadProxy(unittest.TestCase):
    """The checks find what they look for."""

    def setUp(self):
        self.relay = Relay(SERVICE.port)
        self.addCleanup(self.relay.stop)

    def test_an_answer_that_a_neighbour_gets_is_found(self):
        self.assertIn("a neighbour gets ['the answer 200 of", ProxyChecks(self.relay).check(IN_THE_OPEN))

    def test_a_request_that_gets_past_the_proxy_is_found(self):
        last = Case("the last on its connection", SMUGGLED, ())
        self.assertIn("the proxy was passed", ProxyChecks(self.relay).check(last))
