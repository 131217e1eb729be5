"""Clients that share sessions and go on whatever happens, and write down what they did and what they were told."""
import asyncio, dataclasses, json, random
from http_client import Connection, Lost
from operations import Operation, View, entries_of, now

# What one session is shared by: two that follow hrefs, one that retries blindly, and one that retries with keys. No more with
# keys: a session remembers its last 64 ones, so a client that tries again for long must not be overtaken by as many.
KINDS = ("follow", "follow", "blind", "key")
# A history is kept whole up to 64 KiB, and it is stored with every action.
ACTIONS_A_SESSION = 400
# What says nothing about whether the request was carried out: 502 and 504 are the proxy's own.
IN_DOUBT = (502, 503, 504)


class Run:
    """What all clients share."""

    def __init__(self, port, clients, operations, seed):
        self.port, self.wanted = port, operations
        self.random = random.Random(seed)
        self.log, self.sessions = [], []
        self.answered = self.lost_views = self.without_retry_after = 0
        self.deadline = None
        groups = [Group(self, number) for number in range(clients // len(KINDS))]
        self.clients = [Client(group, kind, place) for group in groups for place, kind in enumerate(KINDS)]

    @property
    def is_over(self):
        return self.answered >= self.wanted or now() > self.deadline

    def stop(self):
        """Called from any thread: nothing more is begun, and nothing that fails is tried again for long."""
        self.deadline = 0

    def record(self, operation):
        self.log.append(operation)
        self.answered += operation.outcome != "doubt"

    async def work(self, seconds):
        self.deadline = now() + seconds * 1_000_000_000
        await asyncio.gather(*(client.work() for client in self.clients))

    async def histories(self):
        """All of them, by session."""
        left, found = list(self.sessions), {}

        async def fetch():
            connection = Connection(self.port)
            while left:
                session = left.pop()
                entries = []
                while True:
                    answer = await connection.ask("GET", f"/v1/sessions/{session}/history?after={len(entries)}&limit=1000")
                    if answer.status != 200:
                        raise SystemExit(f"A history cannot be read: {answer.status} {answer.body.decode()}")
                    page = entries_of(answer.body)
                    if not page:
                        break
                    entries += page
                found[session] = entries
            connection.close()

        await asyncio.gather(*(fetch() for _ in range(8)))
        return found


class Group:
    """The clients of one session at a time."""

    def __init__(self, run, number):
        self.run, self.number = run, number
        self.current, self.count, self.lock = None, 0, asyncio.Lock()

    async def session(self, creator):
        async with self.lock:
            if self.current is None:
                self.count += 1
                self.current = await creator.create(f"session-{self.number}-{self.count}-{self.run.random.getrandbits(64):x}")
                if self.current:
                    self.run.sessions.append(self.current)
        return self.current

    def retire(self, session, revision):
        if revision > ACTIONS_A_SESSION and self.current == session:
            self.current = None


class Client:
    def __init__(self, group, kind, place):
        self.run, self.group, self.kind = group.run, group, kind
        self.name = f"{kind}-{group.number}-{place}"
        self.connection, self.other = Connection(self.run.port), Connection(self.run.port)
        self.random = random.Random(self.run.random.getrandbits(64))
        self.session = self.view = None
        self.count = 0

    async def work(self):
        while not self.run.is_over:
            session = await self.group.session(self)
            if session is None:
                break
            if session != self.session:
                self.session, self.view = session, None
            # At least one in five, so that many are under way while others act.
            if self.view is None or self.random.random() < 0.2:
                await self.look()
            else:
                await getattr(self, self.kind)()
        self.connection.close()
        self.other.close()

    # Operations

    async def create(self, key):
        """Asks for a session twice at once, which is to be one session."""
        operation = Operation(self.name, "", "create", has_key=True)
        answers = await self.insist_twice(operation, "/v1/sessions", '{"app":"tabs"}', f"Idempotency-Key: {key}", success=201)
        ids = {json.loads(answer.body)["session"]["id"] for answer in answers if answer.status == 201}
        if len(ids) == 1:
            [operation.session] = ids
        elif answers:
            operation.outcome, operation.text = "wrong", f"One key has made the sessions {ids}."
        self.run.record(operation)
        return operation.session or None

    async def look(self):
        operation = Operation(self.name, self.session, "view", sent=now())
        operation.asked = operation.sent
        answer = await self.ask(self.connection, "GET", f"/v1/sessions/{self.session}")
        if answer is None or answer.status in IN_DOUBT:
            self.run.lost_views += 1
            return await self.pause(answer)
        operation.answered = now()
        self.read(operation, answer)
        self.run.record(operation)

    async def follow(self):
        """Follows the href of the view, again until there is an answer. Now and then the revision is in a header."""
        operation, href, body = self.chosen()
        operation.revision = self.view["session"]["revision"]
        if self.random.random() < 0.25:
            answer = await self.insist(operation, href.split("?")[0], body, f'If-Match: "{operation.revision}"')
        else:
            answer = await self.insist(operation, href, body)
        self.finish(operation, answer)

    async def key(self):
        """Acts on whatever revision there is, with a key, again until there is an answer. Now and then it is too impatient to wait
        for one."""
        operation, href, body = self.chosen()
        operation.has_key = True
        key = f"Idempotency-Key: {self.name}-{self.count}-{self.random.getrandbits(64):x}"
        if self.random.random() < 0.25:
            await self.insist_twice(operation, href.split("?")[0], body, key)
            self.run.record(operation)
        else:
            self.finish(operation, await self.insist(operation, href.split("?")[0], body, key))

    async def blind(self):
        """Acts on whatever revision there is. Without an answer it does the same again, as another operation, because both may
        take effect."""
        operation, href, body = self.chosen()
        operation.sent = operation.asked = now()
        answer = await self.ask(self.connection, "POST", href.split("?")[0], body)
        if answer is None or answer.status in IN_DOUBT:
            operation.doubts = (answer.status if answer else 0,)
            self.run.record(operation)
            return await self.pause(answer)
        operation.answered = now()
        self.finish(operation, answer)

    # Their parts

    def chosen(self):
        """What the view offers, with its href and a body."""
        [offered] = self.view["actions"]
        operation = Operation(self.name, self.session, offered["name"])
        self.count += 1
        if operation.action != "open":
            return operation, offered["href"], None
        operation.label = f"{self.name}-{self.count}"
        return operation, offered["href"], json.dumps({"detailId": operation.label})

    async def ask(self, connection, *request):
        """The answer, if there is one."""
        try:
            answer = await connection.ask(*request)
        except Lost:
            return None
        self.run.without_retry_after += answer.status == 503 and b"\r\nRetry-After: " not in answer.head
        return answer

    async def insist(self, operation, target, body, *headers, connection=None):
        """The answer, however often it has to be asked for; None once the run has been over for long."""
        operation.sent = now()
        while now() < self.run.deadline + 60_000_000_000:
            operation.asked = now()
            answer = await self.ask(connection or self.connection, "POST", target, body, *headers)
            if answer and answer.status not in IN_DOUBT:
                operation.answered = now()
                return answer
            operation.repeats += 1
            operation.doubts += (answer.status if answer else 0,)
            await self.pause(answer)
        return None

    async def insist_twice(self, operation, target, body, header, success=200):
        """Sends a request with a key on two connections at once, and makes one operation of what comes of both."""
        sides = [dataclasses.replace(operation) for _ in range(2)]
        connections = (self.connection, self.other)
        requests = (self.insist(side, target, body, header, connection=to) for side, to in zip(sides, connections))
        answers = await asyncio.gather(*requests)
        for side, answer in zip(sides, answers):
            if answer:
                self.read(side, answer, success)
        # One that was refused can be done a moment later. What was done was so by the first answer that says it.
        told = [side for side in sides if side.told]
        [first, *_] = sorted(told or sides, key=lambda side: (side.outcome == "wrong", side.answered or now()))
        for field in dataclasses.fields(Operation):
            setattr(operation, field.name, getattr(first, field.name))
        operation.sent = min(side.sent for side in sides)
        if len({side.told for side in told}) > 1 or all(side.outcome == "done" for side in sides):
            operation.outcome, operation.text = "wrong", f"One key has had two outcomes: {sides[0]}; {sides[1]}."
        for side in sides:
            if side.outcome == "wrong":
                operation.outcome, operation.text = "wrong", operation.text or side.text
        return [answer for answer in answers if answer]

    async def pause(self, answer):
        """Long enough not to be a load by itself, and shorter than Retry-After asks for, so that much is under way when a
        database comes back."""
        await asyncio.sleep(self.random.uniform(0.02, 0.3) if answer else 0.01)

    def finish(self, operation, answer):
        if answer:
            self.read(operation, answer)
        self.run.record(operation)

    def read(self, operation, answer, success=200):
        """What an answer says, and the view to go on from."""
        try:
            body = json.loads(answer.body)
            if answer.status == success:
                outcome, view = "replayed" if answer.is_replay else "done", body
                operation.outcome = "seen" if operation.action == "view" else outcome
            else:
                slug = body["type"].removeprefix("/problems/")
                operation.outcome = {"stale-revision": "stale", "action-unavailable": "unavailable"}[slug]
                assert answer.status in (409, 412)
                view = body["view"]
            operation.view = View.of(view)
        except (ValueError, KeyError, AssertionError):
            operation.outcome, operation.view = "wrong", None
            operation.text = f"{answer.status} {answer.body[:400].decode(errors='replace')}"
            return
        if view["session"]["id"] == self.session:
            self.view = view
            self.group.retire(self.session, operation.view.revision)
