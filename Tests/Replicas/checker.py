"""Checks what clients were told against what the sessions' histories say: each session is one linear register.

An entry of a history took effect at one moment. What is known of the moment is when it was not yet and when it was: an action was
not done before it was sent and was done when that was answered; a view of revision 5 says that 5 was there when it was answered,
and that 6 was not there when it was asked for. Histories and answers fit each other if moments can be found that lie
between the two and are in the order of the revisions, which is so if no entry was known before an earlier one could be.
"""
import collections

Violation = collections.namedtuple("Violation", "kind session sentence")
# Older retries need not be known to the service any more (design: api, "Revisions").
REMEMBERED = 16
OFFERS = {"home": "open", "home-detail": "close"}
SHOWS = {"create": "home", "open": "home-detail", "close": "home"}


def check(operations, histories):
    """All violations; none is what is wanted."""
    by_session = collections.defaultdict(list)
    violations = []
    for operation in operations:
        if operation.session in histories:
            by_session[operation.session].append(operation)
        elif operation.outcome != "doubt" or operation.has_key:
            violations.append(Violation("answer", operation.session, f"There is no such session: {operation}."))
    for session, entries in histories.items():
        violations += SessionCheck(session, by_session[session], entries).violations()
    return violations


class SessionCheck:
    def __init__(self, session, operations, entries):
        self.session, self.operations, self.entries = session, operations, entries
        self.found = []
        # The one operation that is an entry, by revision, and those that may be because the service cannot tell them apart.
        self.owner, self.sharers = {}, collections.defaultdict(list)

    def violations(self):
        self.check_history()
        # Without revisions that go up by one there is no register to speak of.
        if not self.found:
            self.check_answers()
            self.claim()
            self.match_labels()
            self.check_order(self.match_others())
        return self.found

    def add(self, kind, sentence):
        self.found.append(Violation(kind, self.session, sentence))

    def entry(self, revision):
        return self.entries[revision - 1] if 0 < revision <= len(self.entries) else None

    # The history by itself

    def check_history(self):
        """Revisions are gapless, and every entry follows from the one before."""
        screen = None
        for place, entry in enumerate(self.entries, 1):
            if entry.revision != place:
                return self.add("gap", f"Revision {entry.revision} stands where {place} belongs.")
            if entry.screen != SHOWS.get(entry.action) or OFFERS.get(screen, "create") != entry.action:
                self.add("history", f"Revision {place}, {entry}, does not follow from screen {screen} to {entry.screen}.")
            screen = entry.screen
        if not self.entries:
            self.add("gap", "There is no history.")

    # What each client was told, by itself

    def check_answers(self):
        for operation in self.operations:
            if operation.outcome == "wrong":
                self.add("answer", f"There must not be such an answer: {operation}.")
            if operation.outcome == "doubt" and operation.has_key:
                self.add("doubt", f"It has a key and is in doubt all the same: {operation}.")
            if operation.view:
                self.check_view(operation, operation.view)

    def check_view(self, operation, view):
        entry = self.entry(view.revision)
        if not entry:
            return self.add("view", f"The history ends at {len(self.entries)}: {operation}.")
        if (view.screen, view.label) != (entry.screen, entry.label):
            self.add("view", f"Revision {view.revision} is {entry}, not {view.screen} {view.label}: {operation}.")
        if operation.outcome == "unavailable" and OFFERS[entry.screen] == operation.action:
            self.add("refusal", f"It was available: {operation}.")
        if operation.outcome == "stale":
            done = self.entry(operation.revision + 1)
            is_same = done and (done.action, done.label) == (operation.action, operation.label)
            if view.revision == operation.revision:
                self.add("refusal", f"It was not stale: {operation}.")
            elif is_same and operation.revision < view.revision <= operation.revision + REMEMBERED:
                self.add("refusal", f"It was done, and so is no conflict: {operation}.")

    # Which operation is which entry

    def claim(self):
        """Finds each acknowledged action in the history, at the revision that its answer told."""
        for operation in self.operations:
            told = operation.told
            if told is None:
                continue
            entry = self.entry(told)
            if not entry or (entry.action, entry.label) != (operation.action, operation.label):
                self.add("lost", f"Revision {told} is {entry}: {operation}.")
            elif operation.revision is not None and told != operation.revision + 1:
                self.add("place", f"It was to be revision {operation.revision + 1}: {operation}.")
            elif operation.outcome == "replayed" and not operation.has_key:
                self.sharers[told].append(operation)
            elif told in self.owner:
                self.add("lost", f"Both were told revision {told}: {operation}; {self.owner[told]}.")
            else:
                self.owner[told] = operation

    def match_labels(self):
        """Finds who did each entry that says so itself."""
        by_label = {operation.label: operation for operation in self.operations if operation.label}
        places = {}
        for entry in self.entries:
            if entry.label is None:
                continue
            if entry.label in places:
                self.add("twice", f"{entry} is revision {places[entry.label]} and {entry.revision}.")
            places[entry.label] = entry.revision
            operation = by_label.get(entry.label)
            if not operation:
                self.add("phantom", f"Nobody asked for revision {entry.revision}, {entry}.")
            elif operation.outcome in ("unavailable", "stale"):
                self.add("refusal", f"It was refused, and is revision {entry.revision}: {operation}.")
            elif operation.revision is not None and entry.revision != operation.revision + 1:
                self.add("place", f"It is revision {entry.revision}: {operation}.")
            else:
                self.owner.setdefault(entry.revision, operation)

    def match_others(self):
        """Finds who may have done each entry that nobody has claimed: when it was sent, by revision."""
        doubtful = [operation for operation in self.operations if operation.outcome == "doubt" and operation.action == "close"]
        unnamed = collections.deque(sorted((o for o in doubtful if o.revision is None), key=lambda o: o.sent))
        for operation in doubtful:
            if operation.revision is not None:
                self.sharers[operation.revision + 1].append(operation)
        first = {}
        for entry in self.entries:
            if entry.label or entry.revision in self.owner:
                continue
            sharers = self.sharers[entry.revision]
            if sharers:
                first[entry.revision] = min(sharers, key=lambda o: o.sent)
            elif unnamed:
                # The first that was sent for the first that is to be explained: if any choice is in order, this one is.
                first[entry.revision] = unnamed.popleft()
            else:
                self.add("phantom", f"Nobody asked for revision {entry.revision}, {entry}.")
        return first

    # Real time

    def check_order(self, first):
        count = len(self.entries)
        # The last moment at which an entry was known not to be there yet, and the first at which it was, with who says so.
        since = [(0, None)] * (count + 2)
        until = [(float("inf"), None)] * (count + 2)
        for revision, operation in {**first, **self.owner}.items():
            since[revision] = max(since[revision], (operation.sent, operation), key=lambda pair: pair[0])
        for operation in self.operations:
            for revision in (operation.told, operation.view and operation.view.revision):
                if revision and revision <= count and operation.answered < until[revision][0]:
                    until[revision] = (operation.answered, operation)
            # The answer to a key shows how it was then; all others show how it is now.
            shows_now = operation.view and not (operation.outcome == "replayed" and operation.has_key)
            if shows_now and operation.outcome != "done" and operation.view.revision <= count:
                next_one = operation.view.revision + 1
                if operation.asked > since[next_one][0]:
                    since[next_one] = (operation.asked, operation)
        latest, where = (0, None), 0
        for revision in range(1, count + 1):
            if since[revision][0] > latest[0]:
                latest, where = since[revision], revision
            if until[revision][0] < latest[0]:
                self.add(
                    "order", f"Revision {revision} was there by {until[revision][1]}; revision {where} was not yet, by {latest[1]}.")
                return
