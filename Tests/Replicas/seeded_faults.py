"""Faults to seed into a recorded run. Each alters one session as a faulty service would. The checker must detect it."""
import copy, dataclasses
from checker import SessionCheck


def lost_update(operations, entries):
    """Two responses acknowledge the same revision, and the history has only one of the actions."""
    for operation in operations:
        if operation.outcome == "done" and operation.action == "open" and operation.revision is None:
            label = operation.label + "-lost"
            view = copy.copy(operation.view)
            return [*operations, dataclasses.replace(operation, client="lost", label=label, view=view)], entries


def lost_close(operations, entries):
    """Two responses acknowledge the same revision for an action without a label in the history."""
    for operation in operations:
        if operation.outcome == "done" and operation.action == "close":
            return [*operations, dataclasses.replace(operation, client="lost")], entries


def stale_read(operations, entries):
    """A view shows an older revision than one that was acknowledged before the request for the view."""
    done = sorted((o for o in operations if o.outcome == "done"), key=lambda o: o.answered)
    acknowledging = {}
    for operation in done:
        acknowledging.setdefault(operation.view.revision, operation)
    for operation in operations:
        if operation.outcome == "seen" and operation.view.revision > 1:
            acknowledged = acknowledging.get(operation.view.revision)
            if acknowledged and acknowledged.answered < operation.asked:
                before = entries[operation.view.revision - 2]
                view = copy.copy(operation.view)
                view.revision, view.screen, view.label = before.revision, before.screen, before.label
                altered = dataclasses.replace(operation, view=view)
                return [altered if o is operation else o for o in operations], entries


def twice(operations, entries):
    """An acknowledged action appears twice in the history, the second time in place of an unacknowledged one."""
    done = [o for o in operations if o.outcome == "done" and o.action == "open"]
    if len(done) < 2:
        return None
    first, other = done[0], done[-1]
    revision = other.view.revision
    kept = [o for o in operations if o is not other and not (o.view and o.view.revision == revision)]
    return kept, [dataclasses.replace(e, label=first.label) if e.revision == revision else e for e in entries]


def phantom(operations, entries):
    """The history has an action that no client requested."""
    for operation in operations:
        if operation.outcome == "done" and operation.action == "open":
            return [o for o in operations if o is not operation], entries


def gap(operations, entries):
    """A revision is missing from the history."""
    return (operations, entries[:5] + entries[6:]) if len(entries) > 10 else None


def refused(operations, entries):
    """An action is in the history although it was refused as stale."""
    for operation in operations:
        if operation.outcome == "done" and operation.action == "open" and operation.revision is not None:
            altered = dataclasses.replace(operation, outcome="stale")
            return [altered if o is operation else o for o in operations], entries


# Names of faults, each with its function and the kind of violation that the checker must report.
SEEDED_FAULTS = {
    "lost-update": (lost_update, "lost"), "lost-close": (lost_close, "lost"), "stale-read": (stale_read, "order"),
    "twice": (twice, "twice"), "phantom": (phantom, "phantom"), "gap": (gap, "gap"), "refused": (refused, "refusal"),
}


def violations_with_fault(name, operations, histories):
    """Seeds a fault into the first session that permits it, and returns the violations that the checker finds there."""
    alter, _ = SEEDED_FAULTS[name]
    by_session = {}
    for operation in operations:
        by_session.setdefault(operation.session, []).append(operation)
    for session, entries in histories.items():
        altered = alter(by_session.get(session, []), entries)
        if altered:
            return SessionCheck(session, *altered).violations()
    raise SystemExit(f"No session permits the fault {name}. Record more operations.")


def undetected(operations, histories):
    """Returns the names of the faults that the checker does not detect."""
    return [
        name for name, (_, kind) in SEEDED_FAULTS.items()
        if kind not in [violation.kind for violation in violations_with_fault(name, operations, histories)]
    ]
