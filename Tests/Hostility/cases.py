"""What the tests have in common: a case sent to a port, and what came of it in the service."""
from concurrent.futures import ThreadPoolExecutor

from corpus import ALL, HIDDEN, OPEN
from service import SERVICE
from wire import Wire

TOGETHER = 8


class Outcome:
    """What came of one case."""

    def __init__(self, case, port, count=0, **waiting):
        self.case = case
        self.open, self.hidden = SERVICE.new_session(), SERVICE.new_session()
        self.wire = Wire(port, case.data.startswith(b"HEAD "))
        self.wire.send(self.of(case.data))
        self.closed = self.wire.wait(count, **waiting)
        self.answers = tuple(response.status for response in self.wire.responses())

    def of(self, data):
        """The bytes, about the sessions of this case."""
        return data.replace(OPEN, self.open.encode()).replace(HIDDEN, self.hidden.encode())

    def acts(self):
        return SERVICE.acts(self.open), SERVICE.acts(self.hidden)

    def __str__(self):
        return f"{self.case.name}: {self.answers}{', closed' if self.closed else ''}, acts {self.acts()}"


def each(check, cases=ALL, together=TOGETHER):
    """Checks the cases, a few at a time; the failures as text."""
    def checked(case):
        try:
            return check(case)
        except Exception as error:
            return f"{case.name}: {error!r}"
    with ThreadPoolExecutor(together) as pool:
        return [failure for failure in pool.map(checked, cases) if failure]
