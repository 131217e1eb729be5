"""The input of the checker: the requests of the clients with their responses, and the histories of the sessions."""
import dataclasses, json, time

now = time.monotonic_ns


class View:
    """The part of a session's view that the checker compares."""
    __slots__ = ("revision", "screen", "label")

    def __init__(self, revision, screen, label):
        self.revision, self.screen, self.label = revision, screen, label

    @staticmethod
    def of(view):
        """Reads the view in a response or in a problem."""
        return View(view["session"]["revision"], view["screen"]["name"], view["screen"]["data"].get("detailId"))


@dataclasses.dataclass(slots=True)
class Operation:
    """A request, including the retries that the service treats as the same request."""
    client: str
    session: str
    # One of create, open, close and view.
    action: str
    # The input of an open, which identifies it.
    label: str | None = None
    # The revision that the client sent.
    revision: int | None = None
    has_key: bool = False
    sent: int = 0
    # The time at which the attempt with the response was sent. The response shows no older state.
    asked: int = 0
    answered: int | None = None
    # done: it took effect; replayed: it took effect earlier; unavailable, stale: it was refused; seen: a view;
    # unknown: no response revealed the outcome; invalid: the response violates the contract.
    outcome: str = "unknown"
    view: View | None = None
    # The number of retries, and the statuses of the attempts with an unknown outcome: 0 for a lost connection.
    retries: int = 0
    failures: tuple = ()
    text: str = ""

    @property
    def acknowledged_revision(self):
        """The revision at which the operation took effect, or None if the response does not tell."""
        if self.outcome == "done" or self.outcome == "replayed" and self.has_key:
            return self.view.revision
        return self.revision + 1 if self.outcome == "replayed" else None

    def __str__(self):
        name = f"{self.action} {self.label}" if self.label else self.action
        at = f" at revision {self.revision}" if self.revision else ""
        saw = f", showing revision {self.view.revision}" if self.view else ""
        until = f"{self.answered / 1e9:.6f}" if self.answered else "…"
        sent = f"{self.sent / 1e9:.6f}"
        return f"{name} of {self.client}{at} ({self.outcome}{saw}; {sent} to {until}) {self.text}".rstrip()


@dataclasses.dataclass(slots=True)
class Entry:
    """One entry of a session's history."""
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
