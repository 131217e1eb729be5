"""Sending a case to a port, and its effects on the service."""
from concurrent.futures import ThreadPoolExecutor

from corpus import ALL, HIDDEN, OPEN
from service import SERVICE
from wire import Wire

CONCURRENT_CASES = 8


class Outcome:
    """The responses to a case, and the actions of the service."""

    def __init__(self, case, port, count=0, **waiting):
        self.case = case
        self.open, self.hidden = SERVICE.new_session(), SERVICE.new_session()
        self.wire = Wire(port, case.data.startswith(b"HEAD "))
        self.wire.send(self.with_sessions(case.data))
        self.is_closed = self.wire.wait(count, **waiting)
        self.statuses = tuple(response.status for response in self.wire.responses())

    def with_sessions(self, data):
        """Returns the bytes with the ids of this case's sessions."""
        return data.replace(OPEN, self.open.encode()).replace(HIDDEN, self.hidden.encode())

    def action_counts(self):
        return SERVICE.action_count(self.open), SERVICE.action_count(self.hidden)

    def __str__(self):
        closed = ", closed" if self.is_closed else ""
        return f"{self.case.name}: {self.statuses}{closed}, actions {self.action_counts()}"


def failures_of(check, cases=ALL, concurrent_cases=CONCURRENT_CASES):
    """Checks the cases, a few at a time. Returns descriptions of the failures."""
    def checked(case):
        try:
            return check(case)
        except Exception as error:
            return f"{case.name}: {error!r}"
    with ThreadPoolExecutor(concurrent_cases) as pool:
        return [failure for failure in pool.map(checked, cases) if failure]
