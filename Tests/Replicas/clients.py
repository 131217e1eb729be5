"""Clients that share sessions, continue through all faults, and record their requests with the responses."""
import asyncio, dataclasses, json, random
from http_client import Connection, ResponseLost
from operations import Operation, View, entries_of, now

# The clients of one session: two follow hrefs, one retries blindly, and one retries with idempotency keys. More clients
# with keys could displace the key of a long retry, because a session remembers only its last 64 keys.
KINDS = ("follow", "follow", "blind", "key")
# The service keeps up to 64 KiB of a history, and stores it with every action.
ACTIONS_PER_SESSION = 400
# Statuses after which the outcome of a request is unknown. The proxy sends 502 and 504.
UNKNOWN = (502, 503, 504)


class Run:
    """The state that all clients share."""

    def __init__(self, port, clients, operations, seed):
        self.port, self.wanted = port, operations
        self.random = random.Random(seed)
        self.log, self.sessions = [], []
        self.answered = self.lost_views = self.without_retry_after = 0
        self.deadline = None
        # The clients continue until every fault was injected, however fast the service is.
        self.faults_are_injected = lambda: True
        groups = [Group(self, number) for number in range(clients // len(KINDS))]
        self.clients = [Client(group, kind, place) for group in groups for place, kind in enumerate(KINDS)]

    @property
    def is_over(self):
        return self.answered >= self.wanted and self.faults_are_injected() or now() > self.deadline

    def stop(self):
        """Ends the run: clients begin no new operations, and stop retrying soon. May be called from any thread."""
        self.deadline = 0

    def record(self, operation):
        self.log.append(operation)
        self.answered += operation.outcome != "unknown"

    async def work(self, seconds):
        self.deadline = now() + seconds * 1_000_000_000
        await asyncio.gather(*(client.work() for client in self.clients))

    async def histories(self):
        """Reads the histories of all sessions."""
        remaining, found = list(self.sessions), {}

        async def fetch():
            connection = Connection(self.port)
            while remaining:
                session = remaining.pop()
                entries = []
                while True:
                    response = await connection.request(
                        "GET", f"/v1/sessions/{session}/history?after={len(entries)}&limit=1000")
                    if response.status != 200:
                        raise SystemExit(
                            f"The history of {session} cannot be read: {response.status} {response.body.decode()}")
                    page = entries_of(response.body)
                    if not page:
                        break
                    entries += page
                found[session] = entries
            connection.close()

        await asyncio.gather(*(fetch() for _ in range(8)))
        return found


class Group:
    """A group of clients that use one session at a time."""

    def __init__(self, run, number):
        self.run, self.number = run, number
        self.current, self.count, self.lock = None, 0, asyncio.Lock()

    async def session(self, creator):
        async with self.lock:
            if self.current is None:
                self.count += 1
                self.current = await creator.create(
                    f"session-{self.number}-{self.count}-{self.run.random.getrandbits(64):x}")
                if self.current:
                    self.run.sessions.append(self.current)
        return self.current

    def retire(self, session, revision):
        if revision > ACTIONS_PER_SESSION and self.current == session:
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
            # About one request in five is a read, so that many reads are in flight while other clients act.
            if self.view is None or self.random.random() < 0.2:
                await self.look()
            else:
                await getattr(self, self.kind)()
        self.connection.close()
        self.other.close()

    # Operations

    async def create(self, key):
        """Requests a session twice at once with one idempotency key, which has to create one session."""
        operation = Operation(self.name, "", "create", has_key=True)
        responses = await self.retry_in_parallel(
            operation, "/v1/sessions", '{"app":"tabs"}', f"Idempotency-Key: {key}", success=201)
        ids = {json.loads(response.body)["session"]["id"] for response in responses if response.status == 201}
        if len(ids) == 1:
            [operation.session] = ids
        elif responses:
            operation.outcome, operation.text = "invalid", f"One key created several sessions: {ids}."
        self.run.record(operation)
        return operation.session or None

    async def look(self):
        operation = Operation(self.name, self.session, "view", sent=now())
        operation.asked = operation.sent
        response = await self.attempt(self.connection, "GET", f"/v1/sessions/{self.session}")
        if response is None or response.status in UNKNOWN:
            self.run.lost_views += 1
            return await self.pause(response)
        operation.answered = now()
        self.read(operation, response)
        self.run.record(operation)

    async def follow(self):
        """Follows an href of the view, and retries until it gets a response. Sometimes it sends the revision in a
        header instead."""
        operation, href, body = self.chosen()
        operation.revision = self.view["session"]["revision"]
        if self.random.random() < 0.25:
            response = await self.retry(operation, href.split("?")[0], body, f'If-Match: "{operation.revision}"')
        else:
            response = await self.retry(operation, href, body)
        self.finish(operation, response)

    async def key(self):
        """Acts on any revision with an idempotency key, and retries until it gets a response. Sometimes it sends the
        retry before the response."""
        operation, href, body = self.chosen()
        operation.has_key = True
        key = f"Idempotency-Key: {self.name}-{self.count}-{self.random.getrandbits(64):x}"
        if self.random.random() < 0.25:
            await self.retry_in_parallel(operation, href.split("?")[0], body, key)
            self.run.record(operation)
        else:
            self.finish(operation, await self.retry(operation, href.split("?")[0], body, key))

    async def blind(self):
        """Acts on any revision without a key. A retry counts as another operation, because both may take effect."""
        operation, href, body = self.chosen()
        operation.sent = operation.asked = now()
        response = await self.attempt(self.connection, "POST", href.split("?")[0], body)
        if response is None or response.status in UNKNOWN:
            operation.failures = (response.status if response else 0,)
            self.run.record(operation)
            return await self.pause(response)
        operation.answered = now()
        self.finish(operation, response)

    # Parts of operations

    def chosen(self):
        """Returns the action that the view offers, with its href and a body."""
        [offered] = self.view["actions"]
        operation = Operation(self.name, self.session, offered["name"])
        self.count += 1
        if operation.action != "open":
            return operation, offered["href"], None
        operation.label = f"{self.name}-{self.count}"
        return operation, offered["href"], json.dumps({"detailId": operation.label})

    async def attempt(self, connection, *request):
        """Returns the response, or None if it was lost."""
        try:
            response = await connection.request(*request)
        except ResponseLost:
            return None
        self.run.without_retry_after += response.status == 503 and b"\r\nRetry-After: " not in response.head
        return response

    async def retry(self, operation, target, body, *headers, connection=None):
        """Retries a request until it gets a response, which it returns, or None a minute after the end of the run."""
        operation.sent = now()
        while now() < self.run.deadline + 60_000_000_000:
            operation.asked = now()
            response = await self.attempt(connection or self.connection, "POST", target, body, *headers)
            if response and response.status not in UNKNOWN:
                operation.answered = now()
                return response
            operation.retries += 1
            operation.failures += (response.status if response else 0,)
            await self.pause(response)
        return None

    async def retry_in_parallel(self, operation, target, body, header, success=200):
        """Sends a request with a key on two connections at once, and combines the responses in one operation."""
        sides = [dataclasses.replace(operation) for _ in range(2)]
        connections = (self.connection, self.other)
        requests = (self.retry(side, target, body, header, connection=to) for side, to in zip(sides, connections))
        responses = await asyncio.gather(*requests)
        for side, response in zip(sides, responses):
            if response:
                self.read(side, response, success)
        # One side can be refused a moment before the other succeeds. The action had taken effect by the first response
        # that says so.
        acknowledged = [side for side in sides if side.acknowledged_revision]
        [first, *_] = sorted(
            acknowledged or sides, key=lambda side: (side.outcome == "invalid", side.answered or now()))
        for field in dataclasses.fields(Operation):
            setattr(operation, field.name, getattr(first, field.name))
        operation.sent = min(side.sent for side in sides)
        revisions = {side.acknowledged_revision for side in acknowledged}
        if len(revisions) > 1 or all(side.outcome == "done" for side in sides):
            operation.outcome, operation.text = "invalid", f"One key had two outcomes: {sides[0]}; {sides[1]}."
        for side in sides:
            if side.outcome == "invalid":
                operation.outcome, operation.text = "invalid", operation.text or side.text
        return [response for response in responses if response]

    async def pause(self, response):
        """Waits before a retry: long enough to cause little load, and less than Retry-After demands, so that many
        requests are in flight when a database returns."""
        await asyncio.sleep(self.random.uniform(0.02, 0.3) if response else 0.01)

    def finish(self, operation, response):
        if response:
            self.read(operation, response)
        self.run.record(operation)

    def read(self, operation, response, success=200):
        """Reads the outcome and the view from a response."""
        try:
            body = json.loads(response.body)
            if response.status == success:
                outcome, view = "replayed" if response.is_replay else "done", body
                operation.outcome = "seen" if operation.action == "view" else outcome
            else:
                slug = body["type"].removeprefix("/problems/")
                operation.outcome = {"stale-revision": "stale", "action-unavailable": "unavailable"}[slug]
                assert response.status in (409, 412)
                view = body["view"]
            operation.view = View.of(view)
        except (ValueError, KeyError, AssertionError):
            operation.outcome, operation.view = "invalid", None
            operation.text = f"{response.status} {response.body[:400].decode(errors='replace')}"
            return
        if view["session"]["id"] == self.session:
            self.view = view
            self.group.retire(self.session, operation.view.revision)
