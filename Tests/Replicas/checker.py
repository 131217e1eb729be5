"""Checks that the responses agree with the histories of the sessions, and that each session is a linearizable register.

Each entry of a history took effect at one moment. The responses bound that moment: an action took effect after its
request and before its response. A view of revision 5 proves that revision 5 existed before the response, and that
revision 6 did not exist before the request. Responses and histories agree if moments exist within these bounds that
follow the order of the revisions. That is the case if no entry has to be earlier than one before it can be.
"""
import collections

Violation = collections.namedtuple("Violation", "kind session message")
# The number of revisions for which the service recognizes a retry.
RETRY_WINDOW = 16
OFFERS = {"home": "open", "home-detail": "close"}
SHOWS = {"create": "home", "open": "home-detail", "close": "home"}


def check(operations, histories):
    """Returns all violations."""
    by_session = collections.defaultdict(list)
    violations = []
    for operation in operations:
        if operation.session in histories:
            by_session[operation.session].append(operation)
        elif operation.outcome != "unknown" or operation.has_key:
            violations.append(Violation("response", operation.session, f"The session does not exist: {operation}."))
    for session, entries in histories.items():
        violations += SessionCheck(session, by_session[session], entries).violations()
    return violations


class SessionCheck:
    def __init__(self, session, operations, entries):
        self.session, self.operations, self.entries = session, operations, entries
        self.found = []
        # The operation of each entry by revision, and the operations that the service cannot distinguish from it.
        self.owner, self.sharers = {}, collections.defaultdict(list)

    def violations(self):
        self.check_history()
        # The other checks presume consecutive revisions.
        if not self.found:
            self.check_responses()
            self.match_acknowledged()
            self.match_labels()
            self.check_order(self.match_unknown())
        return self.found

    def add(self, kind, message):
        self.found.append(Violation(kind, self.session, message))

    def entry(self, revision):
        return self.entries[revision - 1] if 0 < revision <= len(self.entries) else None

    # The history alone

    def check_history(self):
        """Checks that revisions are consecutive, and that every entry follows from the one before."""
        screen = None
        for place, entry in enumerate(self.entries, 1):
            if entry.revision != place:
                return self.add("gap", f"The history has revision {entry.revision} in place of {place}.")
            if entry.screen != SHOWS.get(entry.action) or OFFERS.get(screen, "create") != entry.action:
                self.add(
                    "history", f"Revision {place}, {entry}, does not follow from screen {screen} to {entry.screen}.")
            screen = entry.screen
        if not self.entries:
            self.add("gap", "The history is empty.")

    # Each response alone

    def check_responses(self):
        for operation in self.operations:
            if operation.outcome == "invalid":
                self.add("response", f"The response violates the contract: {operation}.")
            if operation.outcome == "unknown" and operation.has_key:
                self.add("unknown", f"The outcome is unknown in spite of the idempotency key: {operation}.")
            if operation.view:
                self.check_view(operation, operation.view)

    def check_view(self, operation, view):
        entry = self.entry(view.revision)
        if not entry:
            return self.add(
                "view", f"The view is newer than the history, which ends at {len(self.entries)}: {operation}.")
        if (view.screen, view.label) != (entry.screen, entry.label):
            self.add("view", f"Revision {view.revision} is {entry}, not {view.screen} {view.label}: {operation}.")
        if operation.outcome == "unavailable" and OFFERS[entry.screen] == operation.action:
            self.add("refusal", f"The action was refused although it was available: {operation}.")
        if operation.outcome == "stale":
            done = self.entry(operation.revision + 1)
            is_same = done and (done.action, done.label) == (operation.action, operation.label)
            if view.revision == operation.revision:
                self.add("refusal", f"The action was refused although its revision was current: {operation}.")
            elif is_same and operation.revision < view.revision <= operation.revision + RETRY_WINDOW:
                self.add("refusal", f"The retry of a completed action was refused: {operation}.")

    # The operation of each entry

    def match_acknowledged(self):
        """Finds each acknowledged action in the history, at its acknowledged revision."""
        for operation in self.operations:
            revision = operation.acknowledged_revision
            if revision is None:
                continue
            entry = self.entry(revision)
            if not entry or (entry.action, entry.label) != (operation.action, operation.label):
                self.add("lost", f"Revision {revision} is {entry}: {operation}.")
            elif operation.revision is not None and revision != operation.revision + 1:
                self.add("place", f"The action did not become revision {operation.revision + 1}: {operation}.")
            elif operation.outcome == "replayed" and not operation.has_key:
                self.sharers[revision].append(operation)
            elif revision in self.owner:
                self.add("lost", f"Two responses acknowledge revision {revision}: {operation}; {self.owner[revision]}.")
            else:
                self.owner[revision] = operation

    def match_labels(self):
        """Finds the operation of each entry with a label."""
        by_label = {operation.label: operation for operation in self.operations if operation.label}
        places = {}
        for entry in self.entries:
            if entry.label is None:
                continue
            if entry.label in places:
                self.add("twice", f"{entry} is both revision {places[entry.label]} and {entry.revision}.")
            places[entry.label] = entry.revision
            operation = by_label.get(entry.label)
            if not operation:
                self.add("phantom", f"No client requested revision {entry.revision}, {entry}.")
            elif operation.outcome in ("unavailable", "stale"):
                self.add("refusal", f"The action was refused, but is revision {entry.revision}: {operation}.")
            elif operation.revision is not None and entry.revision != operation.revision + 1:
                self.add("place", f"The action is revision {entry.revision}: {operation}.")
            else:
                self.owner.setdefault(entry.revision, operation)

    def match_unknown(self):
        """Returns, for each remaining entry by revision, an operation with an unknown outcome that explains it."""
        candidates = [
            operation for operation in self.operations
            if operation.outcome == "unknown" and operation.action == "close"]
        without_revision = collections.deque(
            sorted((o for o in candidates if o.revision is None), key=lambda o: o.sent))
        for operation in candidates:
            if operation.revision is not None:
                self.sharers[operation.revision + 1].append(operation)
        first = {}
        for entry in self.entries:
            if entry.label or entry.revision in self.owner:
                continue
            sharers = self.sharers[entry.revision]
            if sharers:
                first[entry.revision] = min(sharers, key=lambda o: o.sent)
            elif without_revision:
                # The earliest operation explains the earliest entry: if any choice satisfies the order, this one does.
                first[entry.revision] = without_revision.popleft()
            else:
                self.add("phantom", f"No client requested revision {entry.revision}, {entry}.")
        return first

    # Real time

    def check_order(self, first):
        """Checks that each entry can have taken effect after the entries before it."""
        count = len(self.entries)
        # The last moment at which an entry certainly did not exist, and the first at which it certainly did, with the
        # operations that prove it.
        since = [(0, None)] * (count + 2)
        until = [(float("inf"), None)] * (count + 2)
        for revision, operation in {**first, **self.owner}.items():
            since[revision] = max(since[revision], (operation.sent, operation), key=lambda pair: pair[0])
        for operation in self.operations:
            for revision in (operation.acknowledged_revision, operation.view and operation.view.revision):
                if revision and revision <= count and operation.answered < until[revision][0]:
                    until[revision] = (operation.answered, operation)
            # The response to an idempotency key may be a replay, which shows an earlier state. All others show the
            # current state.
            is_current = operation.view and not (operation.outcome == "replayed" and operation.has_key)
            if is_current and operation.outcome != "done" and operation.view.revision <= count:
                next_one = operation.view.revision + 1
                if operation.asked > since[next_one][0]:
                    since[next_one] = (operation.asked, operation)
        latest, where = (0, None), 0
        for revision in range(1, count + 1):
            if since[revision][0] > latest[0]:
                latest, where = since[revision], revision
            if until[revision][0] < latest[0]:
                self.add(
                    "order", f"Revision {revision} existed according to {until[revision][1]}, "
                    f"before revision {where} did according to {latest[1]}.")
                return
