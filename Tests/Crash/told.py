"""What the clients were told, and how that compares with what the service has."""
import threading
from dataclasses import dataclass, field

# A position after everything; positions are where in a record something was, and 0 where nothing is recorded.
END = float("inf")


class Tally:
    """Counts, and the first faults of each kind in words."""

    KINDS = {"lost": "lost", "twice": "done twice", "unreadable": "unreadable", "other": "other faults"}

    def __init__(self):
        self.lock = threading.Lock()
        self.acknowledged = self.in_doubt = self.refused = 0
        self.faults = dict.fromkeys(self.KINDS, 0)
        self.words = {kind: [] for kind in self.KINDS}

    def fault(self, kind, words, count=1):
        with self.lock:
            self.faults[kind] += count
            self._say(kind, words)

    def _say(self, kind, words):
        if len(self.words[kind]) < 5:
            self.words[kind].append(words)

    def add(self, other, place):
        """Adds what was found at a place."""
        with self.lock:
            for kind, count in other.faults.items():
                self.faults[kind] += count
                for words in other.words[kind]:
                    self._say(kind, f"{words} ({place})")

    def details(self):
        return [f"  {self.KINDS[kind]}: {words}" for kind, sentences in self.words.items() for words in sentences]

    @property
    def failed(self):
        return any(self.faults.values())

    def __str__(self):
        counts = [f"{self.acknowledged} acknowledged", f"{self.in_doubt} in doubt"]
        return ", ".join(counts + [f"{self.faults[kind]} {words}" for kind, words in self.KINDS.items()])


@dataclass(eq=False)
class Request:
    """A request that can be sent again exactly as it was."""

    kind: str
    method: str
    target: str
    body: dict | None = None
    key: str | None = None
    session: "Session | None" = None
    # What the history says of it.
    entry: tuple = ()
    revision: int | None = None
    sent: int = 0

    def __str__(self):
        return f"{self.method} {self.target} {self.body or ''} with key {self.key}"

    def explains(self, revision, entry):
        """Whether an entry of the history may have come of this request."""
        return self.entry == entry and self.revision in (None, revision - 1)


@dataclass(eq=False)
class Session:
    """All that the clients know of a session."""

    id: str
    created: int
    is_shared: bool
    view: dict
    # The entry of each revision that an answer told, and where in the record that was.
    told: dict = field(default_factory=dict)
    last_told: int = 1
    # Requests that were sent and have no answer.
    doubts: list = field(default_factory=list)
    ending: int | None = None
    ended: int | None = None
    # Up to here the history was compared when nothing was in doubt.
    verified: int = 0

    def __post_init__(self):
        self.told[1] = (("create", "{}"), self.created)

    @property
    def path(self):
        return f"/v1/sessions/{self.id}"

    @property
    def revision(self):
        return self.view["session"]["revision"]

    def tell(self, revision, entry, position, tally):
        if revision in self.told:
            other = self.told[revision][0]
            tally.fault("lost", f"{self.id}: revision {revision} was told to two requests, {other}, {entry}")
        self.told[revision] = (entry, position)
        self.last_told = max(self.last_told, revision)


def entry_of(action, body):
    """What tells one entry of a history from another."""
    return action, repr(body) if body else "{}"


class Comparison:
    """Reads sessions of a service and compares them with what was told before a position of the record."""

    def __init__(self, connection, tally, position=END):
        self.connection, self.tally, self.position = connection, tally, position

    def check(self, session, whole=True):
        answer = self.connection.ask("GET", session.path)
        if answer.status not in self._allowed(session):
            return self._report(session, answer.status)
        if answer.status != 200:
            return
        start = 0 if whole else session.verified
        entries = self._history(session, start)
        if entries is None:
            return
        self._compare(session, entries, start)
        if self.position is END:
            session.view = answer.json
        last = start + len(entries)
        if answer.json["session"]["revision"] != last:
            shown = answer.json["session"]["revision"]
            self.tally.fault("other", f"{session.id}: the view has revision {shown}, the history ends with {last}")
        if self.position is END and not session.doubts:
            session.verified = last

    def _allowed(self, session):
        if session.created > self.position:
            return (200, 404) if session.ending is None else (200, 404, 410)
        if session.ended is not None and session.ended <= self.position:
            return (410,)
        return (200,) if session.ending is None or session.ending > self.position else (200, 410)

    def _report(self, session, status):
        was_told = sum(position <= self.position for _, position in session.told.values())
        if status == 404:
            self.tally.fault("lost", f"{session.id}: all {was_told} actions, the session is unknown", was_told)
        elif status == 200:
            self.tally.fault("lost", f"{session.id}: its deletion")
        else:
            self.tally.fault("unreadable", f"{session.id}: the view is answered with {status}")

    def _history(self, session, after):
        entries = []
        while True:
            answer = self.connection.ask("GET", f"{session.path}/history?limit=1000&after={after + len(entries)}")
            if answer.status != 200:
                self.tally.fault("unreadable", f"{session.id}: the history is answered with {answer.status}")
                return None
            page = answer.json["entries"]
            entries += [(entry["revision"], entry_of(entry["action"], entry["input"])) for entry in page]
            if len(page) < 1000:
                return entries

    def _compare(self, session, entries, start):
        spare = list(session.doubts)
        for place, (revision, entry) in enumerate(entries, start + 1):
            if revision != place:
                self.tally.fault("other", f"{session.id}: revision {place} of the history is missing")
                return
            if revision in session.told:
                told = session.told[revision][0]
                if told != entry:
                    self.tally.fault("lost", f"{session.id}: revision {revision} was told as {told} and is {entry}")
                continue
            doubt = next((doubt for doubt in spare if doubt.explains(revision, entry)), None)
            if doubt is None:
                words = f"revision {revision} is {entry}, and all such requests are accounted for"
                self.tally.fault("twice", f"{session.id}: {words}")
            else:
                spare.remove(doubt)
        for revision in range(start + len(entries) + 1, session.last_told + 1):
            entry, position = session.told.get(revision, (None, END))
            if entry is not None and (position <= self.position or self.position is END):
                self.tally.fault("lost", f"{session.id}: revision {revision}, {entry}")
