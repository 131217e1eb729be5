"""Errors to plant into what a run has recorded: each alters one session as a broken service would. The checker has to find it."""
import copy, dataclasses
from checker import SessionCheck


def lost_update(operations, entries):
    """Two clients were told the same revision, and the history has one of them."""
    for operation in operations:
        if operation.outcome == "done" and operation.action == "open" and operation.revision is None:
            label = operation.label + "-lost"
            view = copy.copy(operation.view)
            return [*operations, dataclasses.replace(operation, client="lost", label=label, view=view)], entries


def lost_close(operations, entries):
    """The same, where the history cannot tell one from the other."""
    for operation in operations:
        if operation.outcome == "done" and operation.action == "close":
            return [*operations, dataclasses.replace(operation, client="lost")], entries


def stale_read(operations, entries):
    """A view shows the revision before one that had been acknowledged when it was asked for."""
    known = sorted((o for o in operations if o.outcome == "done"), key=lambda o: o.answered)
    told = {}
    for operation in known:
        told.setdefault(operation.view.revision, operation)
    for operation in operations:
        if operation.outcome == "seen" and operation.view.revision > 1:
            acknowledged = told.get(operation.view.revision)
            if acknowledged and acknowledged.answered < operation.asked:
                before = entries[operation.view.revision - 2]
                view = copy.copy(operation.view)
                view.revision, view.screen, view.label = before.revision, before.screen, before.label
                altered = dataclasses.replace(operation, view=view)
                return [altered if o is operation else o for o in operations], entries


def twice(operations, entries):
    """An acknowledged action is in the history once more, in the place of another, of which nobody has heard."""
    done = [o for o in operations if o.outcome == "done" and o.action == "open"]
    if len(done) < 2:
        return None
    first, other = done[0], done[-1]
    revision = other.view.revision
    kept = [o for o in operations if o is not other and not (o.view and o.view.revision == revision)]
    return kept, [dataclasses.replace(e, label=first.label) if e.revision == revision else e for e in entries]


def phantom(operations, entries):
    """The history has an action that nobody asked for."""
    for operation in operations:
        if operation.outcome == "done" and operation.action == "open":
            return [o for o in operations if o is not operation], entries


def gap(operations, entries):
    """A revision is missing."""
    return (operations, entries[:5] + entries[6:]) if len(entries) > 10 else None


def refused(operations, entries):
    """An action is in the history though its client was told that it was stale."""
    for operation in operations:
        if operation.outcome == "done" and operation.action == "open" and operation.revision is not None:
            altered = dataclasses.replace(operation, outcome="stale")
            return [altered if o is operation else o for o in operations], entries


# What each is called, and the kind of violation that is to be found.
PLANTS = {
    "lost-update": (lost_update, "lost"), "lost-close": (lost_close, "lost"), "stale-read": (stale_read, "order"),
    "twice": (twice, "twice"), "phantom": (phantom, "phantom"), "gap": (gap, "gap"), "refused": (refused, "refusal"),
}


def planted(name, operations, histories):
    """The violations of the first session that the error can be planted into."""
    alter, _ = PLANTS[name]
    by_session = {}
    for operation in operations:
        by_session.setdefault(operation.session, []).append(operation)
    for session, entries in histories.items():
        altered = alter(by_session.get(session, []), entries)
        if altered:
            return SessionCheck(session, *altered).violations()
    raise SystemExit(f"There is nothing to plant {name} into.")


def missed(operations, histories):
    """The planted errors that the checker does not find."""
    return [
        name for name, (_, kind) in PLANTS.items()
        if kind not in [violation.kind for violation in planted(name, operations, histories)]
    ]
