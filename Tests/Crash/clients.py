"""Clients that create, act, navigate and delete, and remember what they were told."""
import itertools, random, threading, traceback

from service import Connection, Lost
from told import Request, Session, Tally, entry_of

# A session's history is kept whole up to 64 KiB; a session ends well before.
REVISIONS = 400
SHARED = 6


class World:
    """What all clients know together."""

    def __init__(self, seed, clients=32, plant=None):
        self.lock, self.tally, self.plant = threading.Lock(), Tally(), plant
        self.sessions, self.shared, self.retired, self.ended = [], [], [], []
        # The end of the record now.
        self.position = lambda: 0
        self.is_over = False
        # Where in the record the answers to requests were that were sent again.
        self.settled = []
        # Creations that nobody can tell whether they happened, because they had no key.
        self.orphans = 0
        self.clients = [Client(self, number, f"{seed}.{number}") for number in range(clients)]

    @property
    def doubts(self):
        return [client.doubt for client in self.clients if client.doubt is not None]

    def start(self, port):
        self.is_over = False
        threads = [threading.Thread(target=each.run, args=(port, False), daemon=True) for each in self.clients]
        for thread in threads:
            thread.start()
        return threads

    def settle(self, port, one_by_one=False):
        """Sends everything again that has no answer."""
        self.is_over = False
        threads = [threading.Thread(target=each.run, args=(port, True), daemon=True) for each in self.clients]
        for thread in threads:
            thread.start()
            if one_by_one:
                thread.join()
        for thread in threads:
            thread.join()
        if self.doubts:
            self.tally.fault("other", f"{len(self.doubts)} requests have no answer though the service was not killed")
        while self.retired:
            session = self.retired.pop()
            session.is_shared = False
            self.clients[session.revision % len(self.clients)].own.append(session)

    def end(self, threads, service, how):
        """Ends the service under load."""
        if not service.lives():
            self.tally.fault("other", f"the service ended by itself: {service.said()}")
        self.is_over = True
        how()
        for thread in threads:
            thread.join()
        self.tally.in_doubt += len(self.doubts)


class Client:
    """One that has some sessions for itself, and shares others."""

    def __init__(self, world, number, seed):
        self.world, self.number, self.random = world, number, random.Random(seed)
        self.numbers = itertools.count(1)
        self.own = []
        # The shared sessions as this client saw them last.
        self.views = {}
        # The request that was sent and has no answer.
        self.doubt = None

    def run(self, port, settles_only):
        connection = None
        try:
            connection = Connection(port)
            while self.doubt is not None or not (settles_only or self.world.is_over):
                is_new = self.doubt is None
                if is_new:
                    self.doubt = self._choose()
                    self.doubt.sent = self.world.position()
                    self._note(self.doubt)
                elif self.world.plant == "twice":
                    self._spoil(self.doubt)
                request = self.doubt
                answer = connection.ask(request.method, request.target, request.body, request.key)
                if answer.status == 503 and self.world.is_over:
                    raise Lost  # It was asked to stop: the request is sent again like the others.
                self._hear(request, answer, is_new, self.world.position())
                self.doubt = None
        except Lost:
            if not self.world.is_over:
                self.world.tally.fault("other", f"client {self.number} lost its connection without a kill")
            if self.doubt is not None and self.doubt.kind in ("create", "share") and self.doubt.key is None:
                with self.world.lock:
                    self.world.orphans += 1
        except Exception:
            self.world.tally.fault("other", traceback.format_exc())
        finally:
            if connection is not None:
                connection.close()

    # Requests

    def _choose(self):
        if self.number == 0 and len(self.world.shared) < SHARED:
            return self._create("share")
        if len(self.own) < 2 or len(self.own) < 4 and self.random.random() < 0.01:
            return self._create("create")
        if self.random.random() < 0.2 and self.world.shared:
            session = self.random.choice(self.world.shared)
            return self._act(session, self.views.get(session.id, session.view))
        session = self.random.choice(self.own)
        if session.revision >= REVISIONS or self.random.random() < 0.003:
            return Request("delete", "DELETE", session.path, session=session)
        return self._act(session, session.view)

    def _create(self, kind):
        key = self._unique() if self.random.random() < 0.5 else None
        return Request(kind, "POST", "/v1/sessions", {"app": "shop"}, key)

    def _act(self, session, view):
        """What the view offers: a name of its own that is chosen and taken back, and now and then another tab."""
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
        # Two clients that do the same at one revision of a shared session are one as the service sees it, so what they
        # send with a revision is told apart by its name.
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
            session.doubts.append(request)
        elif request.kind == "delete":
            session.ending = request.sent

    def _spoil(self, request):
        """Sends again without what makes that safe."""
        request.key = request.revision = None
        request.target = request.target.split("?")[0]

    # Answers

    def _hear(self, request, answer, is_new, position):
        session, good = request.session, True
        if not is_new:
            self.world.settled.append(position)
        if request.kind in ("create", "share"):
            good = answer.status == 201
            if good:
                self._created(request, answer.json, position)
        elif request.kind == "delete":
            good = answer.status == 204 or answer.status == 410 and not is_new
            session.ended = position
            self.own.remove(session)
            with self.world.lock:
                self.world.sessions.remove(session)
                self.world.ended.append(session)
        else:
            session.doubts.remove(request)
            if answer.status == 200:
                self._acted(request, answer.json, position)
            elif answer.status == 409:
                good = session.is_shared and "view" in answer.json
                self._see(session, answer.json.get("view"))
                self.world.tally.refused += 1
            else:
                good = False
        if not good:
            self.world.tally.fault("other", f"{request} was answered with {answer.status}: {answer.json}")

    def _created(self, request, view, position):
        session = Session(view["session"]["id"], position, request.kind == "share", view)
        with self.world.lock:
            self.world.sessions.append(session)
            self.world.tally.acknowledged += 1
            if session.is_shared:
                self.world.shared.append(session)
            else:
                self.own.append(session)

    def _acted(self, request, view, position):
        session, shown = request.session, view["session"]["revision"]
        revision = shown if request.revision is None else request.revision + 1
        with self.world.lock:
            session.tell(revision, request.entry, position, self.world.tally)
            self.world.tally.acknowledged += 1
            if session.is_shared and shown >= REVISIONS and session in self.world.shared:
                self.world.shared.remove(session)
                session.view = view
                self.world.retired.append(session)
        if not session.is_shared and session in self.own and shown != revision:
            self.world.tally.fault("other", f"{request} was told revision {shown}, not {revision}")
        self._see(session, view)

    def _see(self, session, view):
        if view is None:
            return
        if session in self.own:
            session.view = view
        else:
            self.views[session.id] = view
