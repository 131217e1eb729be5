"""Clients that create, act, navigate and delete, and keep the acknowledged state of each session."""
import itertools, random, threading, traceback

from oracle import Request, Session, Tally, entry_of
from service import Connection, ResponseLost

# Clients delete a session before its history exceeds 64 KiB. The service keeps only the newest 64 KiB.
REVISIONS = 400
SHARED = 6


class SharedState:
    """The clients, their sessions, and the tally of the run."""

    def __init__(self, seed, clients=32, seeded_fault=None):
        self.lock, self.tally, self.seeded_fault = threading.Lock(), Tally(), seeded_fault
        self.sessions, self.shared, self.retired, self.ended = [], [], [], []
        # A function that returns the current end of the record.
        self.position = lambda: 0
        self.is_over = False
        # The positions of the responses to retries.
        self.settled = []
        # The number of creations with an unknown outcome that had no key.
        self.orphans = 0
        self.clients = [Client(self, number, f"{seed}.{number}") for number in range(clients)]

    @property
    def pending(self):
        return [client.pending for client in self.clients if client.pending is not None]

    def start(self, port):
        self.is_over = False
        threads = [threading.Thread(target=each.run, args=(port, False), daemon=True) for each in self.clients]
        for thread in threads:
            thread.start()
        return threads

    def settle(self, port, one_by_one=False):
        """Retries all pending requests."""
        self.is_over = False
        threads = [threading.Thread(target=each.run, args=(port, True), daemon=True) for each in self.clients]
        for thread in threads:
            thread.start()
            if one_by_one:
                thread.join()
        for thread in threads:
            thread.join()
        if self.pending:
            self.tally.fault(
                "other", f"{len(self.pending)} requests got no response although the service was not killed")
        while self.retired:
            session = self.retired.pop()
            session.is_shared = False
            self.clients[session.revision % len(self.clients)].own.append(session)

    def end(self, threads, service, end_service):
        """Ends the service under load."""
        if not service.is_running():
            self.tally.fault("other", f"the service ended unexpectedly: {service.log()}")
        self.is_over = True
        end_service()
        for thread in threads:
            thread.join()
        self.tally.unknown += len(self.pending)


class Client:
    """A client that owns some sessions, and shares others."""

    def __init__(self, state, number, seed):
        self.state, self.number, self.random = state, number, random.Random(seed)
        self.numbers = itertools.count(1)
        self.own = []
        # The latest views that this client received of shared sessions.
        self.views = {}
        # The request without a response.
        self.pending = None

    def run(self, port, only_retries):
        connection = None
        try:
            connection = Connection(port)
            while self.pending is not None or not (only_retries or self.state.is_over):
                is_first = self.pending is None
                if is_first:
                    self.pending = self._choose()
                    self.pending.sent = self.state.position()
                    self._note(self.pending)
                elif self.state.seeded_fault == "repeated":
                    self._make_unsafe(self.pending)
                request = self.pending
                response = connection.request(request.method, request.target, request.body, request.key)
                if response.status == 503 and self.state.is_over:
                    raise ResponseLost  # The service is stopping. The client retries the request like the others.
                self._receive(request, response, is_first, self.state.position())
                self.pending = None
        except ResponseLost:
            if not self.state.is_over:
                self.state.tally.fault(
                    "other", f"client {self.number} lost its connection although the service was not killed")
            if self.pending is not None and self.pending.kind in ("create", "share") and self.pending.key is None:
                with self.state.lock:
                    self.state.orphans += 1
        except Exception:
            self.state.tally.fault("other", traceback.format_exc())
        finally:
            if connection is not None:
                connection.close()

    # Requests

    def _choose(self):
        if self.number == 0 and len(self.state.shared) < SHARED:
            return self._create("share")
        if len(self.own) < 2 or len(self.own) < 4 and self.random.random() < 0.01:
            return self._create("create")
        if self.random.random() < 0.2 and self.state.shared:
            session = self.random.choice(self.state.shared)
            return self._act(session, self.views.get(session.id, session.view))
        session = self.random.choice(self.own)
        if session.revision >= REVISIONS or self.random.random() < 0.003:
            return Request("delete", "DELETE", session.path, session=session)
        return self._act(session, session.view)

    def _create(self, kind):
        key = self._unique() if self.random.random() < 0.5 else None
        return Request(kind, "POST", "/v1/sessions", {"app": "shop"}, key)

    def _act(self, session, view):
        """Returns a request for an action that the view offers: entering a unique name, going back, or sometimes
        selecting another tab."""
        actions = {action["name"]: action["href"] for action in view["actions"]}
        tabs, back, body = view["navigation"]["tabs"], view["navigation"]["back"], None
        if self.random.random() < 0.2 or not actions:
            tab = self.random.choice(tabs["items"])
            href, entry = tab["href"], entry_of("tab", {"tab": tab["name"]})
        elif "next" in actions:
            body = {"name": self._unique()}
            href, entry = actions["next"], entry_of("next", body)
        elif "create-account" in actions:
            href, entry = actions["create-account"], entry_of("create-account", None)
        else:
            href, entry = back["href"], entry_of("back", None)
        path, revision = href.split("?revision=")
        # The service treats equal actions of two clients on one revision as retries. Actions with a revision on a
        # shared session therefore need a unique name.
        ways = ["revision", "key"] if body and session.is_shared else ["key"]
        way = self.random.choice(ways if session.is_shared else ["revision", "key", "revision", "key", "both"])
        target = path if way == "key" else href
        return Request(
            "act", "POST", target, body, None if way == "revision" else self._unique(), session, entry,
            None if way == "key" else int(revision))

    def _unique(self):
        return f"client {self.number} request {next(self.numbers)}"

    def _note(self, request):
        session = request.session
        if request.kind == "act":
            session.pending.append(request)
        elif request.kind == "delete":
            session.ending = request.sent

    def _make_unsafe(self, request):
        """Removes the key and the revision, which make a retry safe."""
        request.key = request.revision = None
        request.target = request.target.split("?")[0]

    # Responses

    def _receive(self, request, response, is_first, position):
        session, good = request.session, True
        if not is_first:
            self.state.settled.append(position)
        if request.kind in ("create", "share"):
            good = response.status == 201
            if good:
                self._created(request, response.json, position)
        elif request.kind == "delete":
            good = response.status == 204 or response.status == 410 and not is_first
            session.ended = position
            self.own.remove(session)
            with self.state.lock:
                self.state.sessions.remove(session)
                self.state.ended.append(session)
        else:
            session.pending.remove(request)
            if response.status == 200:
                self._acted(request, response.json, position)
            elif response.status == 409:
                good = session.is_shared and "view" in response.json
                self._see(session, response.json.get("view"))
                self.state.tally.refused += 1
            else:
                good = False
        if not good:
            self.state.tally.fault("other", f"{request} got the status {response.status}: {response.json}")

    def _created(self, request, view, position):
        session = Session(view["session"]["id"], position, request.kind == "share", view)
        with self.state.lock:
            self.state.sessions.append(session)
            self.state.tally.acknowledged += 1
            if session.is_shared:
                self.state.shared.append(session)
            else:
                self.own.append(session)

    def _acted(self, request, view, position):
        session, shown = request.session, view["session"]["revision"]
        revision = shown if request.revision is None else request.revision + 1
        with self.state.lock:
            session.acknowledge(revision, request.entry, position, self.state.tally)
            self.state.tally.acknowledged += 1
            if session.is_shared and shown >= REVISIONS and session in self.state.shared:
                self.state.shared.remove(session)
                session.view = view
                self.state.retired.append(session)
        if not session.is_shared and session in self.own and shown != revision:
            self.state.tally.fault("other", f"{request} became revision {shown}, not {revision}")
        self._see(session, view)

    def _see(self, session, view):
        if view is None:
            return
        if session in self.own:
            session.view = view
        else:
            self.views[session.id] = view
