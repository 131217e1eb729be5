"""What clients did and were told, and what a session's history says: all that the checker knows."""
import dataclasses, json, time

now = time.monotonic_ns


class View:
    """What a client saw of a session."""
    __slots__ = ("revision", "screen", "label")

    def __init__(self, revision, screen, label):
        self.revision, self.screen, self.label = revision, screen, label

    @staticmethod
    def of(view):
        """From the view of an answer or of a problem."""
        return View(view["session"]["revision"], view["screen"]["name"], view["screen"]["data"].get("detailId"))


@dataclasses.dataclass(slots=True)
class Operation:
    """A request, with all its repetitions where they are the same to the service."""
    client: str
    session: str
    # create, open, close or view
    action: str
    # What tells an open from all others.
    label: str | None = None
    # The revision that the client named.
    revision: int | None = None
    has_key: bool = False
    sent: int = 0
    # When the repetition that was answered was sent; what it shows is no older.
    asked: int = 0
    answered: int | None = None
    # done, replayed: it took effect, now or before; unavailable, stale: it did not; seen: a view; doubt: nobody knows;
    # wrong: an answer that there must not be.
    outcome: str = "doubt"
    view: View | None = None
    # How many repetitions there were, and what was said to those that leave it in doubt: 0 is no answer at all.
    repeats: int = 0
    doubts: tuple = ()
    text: str = ""

    @property
    def told(self):
        """The revision at which it took effect, as far as it was told."""
        if self.outcome == "done" or self.outcome == "replayed" and self.has_key:
            return self.view.revision
        return self.revision + 1 if self.outcome == "replayed" else None

    def __str__(self):
        name = f"{self.action} {self.label}" if self.label else self.action
        at = f" at revision {self.revision}" if self.revision else ""
        saw = f", showing revision {self.view.revision}" if self.view else ""
        until = f"{self.answered / 1e9:.6f}" if self.answered else "…"
        return f"{name} of {self.client}{at} ({self.outcome}{saw}; {self.sent / 1e9:.6f} to {until}) {self.text}".rstrip()


@dataclasses.dataclass(slots=True)
class Entry:
    """One line of a session's history."""
    revision: int
    action: str
    label: str | None
    screen: str

    def __str__(self):
        return f"{self.action} {self.label}" if self.label else self.action


def entries_of(body):
    return [
        Entry(entry["revision"], entry["action"], entry["input"].get("detailId"), entry["screen"])
        for entry in json.loads(body)["entries"]
    ]
