"""The state that the responses acknowledge, and its comparison with the state of the service."""
import threading
from dataclasses import dataclass, field

# The position after all others. Positions are offsets in a record of writes, and 0 without a record.
END = float("inf")


class Tally:
    """The numbers of requests and faults, and descriptions of the first faults of each kind."""

    KINDS = {"lost": "lost", "repeated": "repeated", "unreadable": "unreadable", "other": "other faults"}

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = self.unknown = self.refused = 0
        self.faults = dict.fromkeys(self.KINDS, 0)
        self.descriptions = {kind: [] for kind in self.KINDS}

    def fault(self, kind, description, count=1):
        with self.lock:
            self.faults[kind] += count
            self._say(kind, description)

    def _say(self, kind, description):
        if len(self.descriptions[kind]) < 5:
            self.descriptions[kind].append(description)

    def add(self, other, place):
        """Adds the faults that were found at a place."""
        with self.lock:
            for kind, count in other.faults.items():
                self.faults[kind] += count
                for description in other.descriptions[kind]:
                    self._say(kind, f"{description} ({place})")

    def details(self):
        return [
            f"  {self.KINDS[kind]}: {description}"
            for kind, found in self.descriptions.items() for description in found]

    @property
    def failed(self):
        return any(self.faults.values())

    def __str__(self):
        counts = [f"{self.acknowledged} acknowledged", f"{self.unknown} unknown"]
        return ", ".join(counts + [f"{self.faults[kind]} {description}" for kind, description in self.KINDS.items()])


@dataclass(eq=False)
class Request:
    """A request that can be retried unchanged."""

    kind: str
    method: str
    target: str
    body: dict | None = None
    key: str | None = None
    session: "Session | None" = None
    # The entry of this request in the history.
    entry: tuple = ()
    revision: int | None = None
    sent: int = 0

    def __str__(self):
        return f"{self.method} {self.target} {self.body or ''} (key: {self.key})"

    def explains(self, revision, entry):
        """Whether this request may have caused an entry of the history."""
        return self.entry == entry and self.revision in (None, revision - 1)


@dataclass(eq=False)
class Session:
    """The state of a session according to the responses."""

    id: str
    created: int
    is_shared: bool
    view: dict
    # The entry of each acknowledged revision, with the position of the acknowledgement.
    acknowledged: dict = field(default_factory=dict)
    last_acknowledged: int = 1
    # The requests without a response.
    pending: list = field(default_factory=list)
    ending: int | None = None
    ended: int | None = None
    # The revision up to which the history was compared while no request was pending.
    verified: int = 0

    def __post_init__(self):
        self.acknowledged[1] = (("create", "{}"), self.created)

    @property
    def path(self):
        return f"/v1/sessions/{self.id}"

    @property
    def revision(self):
        return self.view["session"]["revision"]

    def acknowledge(self, revision, entry, position, tally):
        if revision in self.acknowledged:
            other = self.acknowledged[revision][0]
            tally.fault(
                "lost", f"{self.id}: revision {revision} was acknowledged for two requests: {other} and {entry}")
        self.acknowledged[revision] = (entry, position)
        self.last_acknowledged = max(self.last_acknowledged, revision)


def entry_of(action, body):
    """Returns the identity of an entry of a history."""
    return action, repr(body) if body else "{}"


class Comparison:
    """Compares the sessions of a service with the responses before a position of the record."""

    def __init__(self, connection, tally, position=END):
        self.connection, self.tally, self.position = connection, tally, position

    def check(self, session, whole=True):
        response = self.connection.request("GET", session.path)
        if response.status not in self._allowed(session):
            return self._report(session, response.status)
        if response.status != 200:
            return
        start = 0 if whole else session.verified
        entries = self._history(session, start)
        if entries is None:
            return
        self._compare(session, entries, start)
        if self.position is END:
            session.view = response.json
        last = start + len(entries)
        if response.json["session"]["revision"] != last:
            shown = response.json["session"]["revision"]
            self.tally.fault("other", f"{session.id}: the view has revision {shown}, but the history ends with {last}")
        if self.position is END and not session.pending:
            session.verified = last

    def _allowed(self, session):
        if session.created > self.position:
            return (200, 404) if session.ending is None else (200, 404, 410)
        if session.ended is not None and session.ended <= self.position:
            return (410,)
        return (200,) if session.ending is None or session.ending > self.position else (200, 410)

    def _report(self, session, status):
        count = sum(position <= self.position for _, position in session.acknowledged.values())
        if status == 404:
            self.tally.fault("lost", f"{session.id}: all {count} actions, because the session does not exist", count)
        elif status == 200:
            self.tally.fault("lost", f"{session.id}: its deletion")
        else:
            self.tally.fault("unreadable", f"{session.id}: the view has the status {status}")

    def _history(self, session, after):
        entries = []
        while True:
            response = self.connection.request("GET", f"{session.path}/history?limit=1000&after={after + len(entries)}")
            if response.status != 200:
                self.tally.fault("unreadable", f"{session.id}: the history has the status {response.status}")
                return None
            page = response.json["entries"]
            entries += [(entry["revision"], entry_of(entry["action"], entry["input"])) for entry in page]
            if len(page) < 1000:
                return entries

    def _compare(self, session, entries, start):
        pending = list(session.pending)
        for place, (revision, entry) in enumerate(entries, start + 1):
            if revision != place:
                self.tally.fault("other", f"{session.id}: revision {place} of the history is missing")
                return
            if revision in session.acknowledged:
                expected = session.acknowledged[revision][0]
                if expected != entry:
                    self.tally.fault(
                        "lost", f"{session.id}: revision {revision} is {entry}, but {expected} was acknowledged")
                continue
            request = next((request for request in pending if request.explains(revision, entry)), None)
            if request is None:
                description = f"revision {revision} is {entry}, which no further request explains"
                self.tally.fault("repeated", f"{session.id}: {description}")
            else:
                pending.remove(request)
        for revision in range(start + len(entries) + 1, session.last_acknowledged + 1):
            entry, position = session.acknowledged.get(revision, (None, END))
            if entry is not None and (position <= self.position or self.position is END):
                self.tally.fault("lost", f"{session.id}: revision {revision}, {entry}")
