"""The clients: they buy tickets of the app `checkout`, and go on although the service dies again and again."""
import http.client, json, random, threading, time, uuid

# Seconds. A purchase that takes longer is a fault, unless the check says otherwise.
LIMIT = 120
# The part of the purchases that is left while the payment is opened.
LEAVERS = 1 / 6
# The screens that a client waits for, and what it does about those that offer another attempt.
AGAIN = {"price-unknown": "ask-again", "not-paid": "pay-again"}


class Unfinished(Exception):
    """A purchase that does not go on."""


class Shared:
    """What all clients share: the ports of the service, the backend, and the results."""

    def __init__(self, ports, backend, seed, limit):
        self.ports, self.backend, self.limit = ports, backend, limit
        # Seed the faults that an outcome was applied twice, and that an effect was attempted after its cancellation.
        self.repeats_outcome = self.attempts_again = False
        self.leavers = LEAVERS
        # The time at which a client has left a payment, by quote.
        self.left = {}
        self.lock, self.random = threading.Lock(), random.Random(seed)
        self.tickets, self.faults, self.is_over = [], [], threading.Event()

    def fault(self, sentence):
        with self.lock:
            self.faults.append(sentence)

    def happens(self, chance):
        with self.lock:
            return self.random.random() < chance

    def choose(self, items):
        with self.lock:
            return self.random.choice(items)


class Buyer(threading.Thread):
    def __init__(self, shared):
        super().__init__(daemon=True)
        self.shared = shared
        self.start()

    def run(self):
        while not self.shared.is_over.is_set():
            try:
                ticket = Purchase(self.shared).run()
                with self.shared.lock:
                    if ticket is not None:
                        self.shared.tickets.append(ticket)
            except Exception as failure:
                self.shared.fault(repr(failure))
                return


class Purchase:
    """One session, from the choice of a ticket to the ticket."""

    def __init__(self, shared):
        self.shared, self.deadline, self.session, self.view = shared, time.monotonic() + shared.limit, None, None

    def run(self):
        """Buys a ticket. Returns its number; None if it leaves the payment."""
        key = {"Idempotency-Key": str(uuid.uuid4())}
        status, self.view = self.request("POST", "/v1/sessions", {"app": "checkout"}, key)
        if status != 201:
            raise Unfinished(f"A creation got {status}: {self.view}")
        self.session = self.view["links"]["self"]
        self.wait_for_tickets()
        self.act("choose", {"kind": self.shared.choose(["day", "week", "month"])})
        self.wait_for("offer")
        if self.shared.happens(self.shared.leavers):
            return self.leave()
        self.act("pay")
        self.wait_for("pay-outside")
        self.shared.backend.settle(self.view["screen"]["data"]["page"])
        self.wait_for("ticket")
        number = self.view["screen"]["data"]["number"]
        self.check_history()
        return number

    def leave(self):
        """Leaves the payment while the backend answers with errors, by going back or by a deletion of the session."""
        quote = self.view["screen"]["data"]["quote"]
        self.shared.backend.fail(quote=quote)
        self.act("pay")
        time.sleep(self.shared.choose([0, 0.1, 0.3, 0.5]))
        if self.shared.happens(1 / 2):
            self.request("DELETE", self.session)
            return self.note_end(quote)
        _, self.view = self.request("GET", self.session)
        while self.view["screen"]["name"] in ("opening-payment", "not-paid"):
            if self.view["prompt"]:
                self.act("leave")
            else:
                back = self.view["navigation"]["back"]
                _, answer = self.request("POST", back["href"])
                self.view = answer if "screen" in answer else self.request("GET", self.session)[1]
        self.note_end(quote)

    def note_end(self, quote):
        with self.shared.lock:
            self.shared.left[quote] = time.time()
        for _ in range(2 if self.shared.attempts_again else 0):
            self.shared.backend.order("again", 1, quote)

    @property
    def offered(self):
        """The buttons of the open prompt or, without one, the actions of the screen."""
        return (self.view["prompt"] or self.view)["actions"]

    def act(self, name, body=None):
        while True:
            action = next(action for action in self.offered if action["name"] == name)
            status, view = self.request("POST", action["href"], body)
            if status == 200:
                self.view = view
                return
            if status != 409:
                raise Unfinished(f"{name} got {status}: {view}")
            # An earlier attempt has been carried out, and the session has gone on since.
            _, self.view = self.request("GET", self.session)
            if not any(action["name"] == name for action in self.offered):
                return

    def wait_for(self, screen):
        while (shown := self.view["screen"]["name"]) != screen:
            if shown in AGAIN:
                self.act(AGAIN[shown])
            else:
                time.sleep(0.05)
                _, self.view = self.request("GET", self.session, headers={"Prefer": "wait=2"})

    def wait_for_tickets(self):
        while not self.view["screen"]["content"]:
            for problem in self.view["screen"]["problems"]:
                self.request("POST", problem["retry"]["href"])
            _, self.view = self.request("GET", self.session, headers={"Prefer": "wait=2"})

    def check_history(self):
        """Checks that each outcome and each signal was applied once."""
        _, history = self.request("GET", self.session + "/history?limit=1000")
        counts = {}
        entries = history["entries"] + (history["entries"][-1:] if self.shared.repeats_outcome else [])
        for entry in entries:
            counts[entry["action"]] = counts.get(entry["action"], 0) + 1
        quotes = counts.get("choose", 0) + counts.get("ask-again", 0)
        payments = counts.get("pay", 0) + counts.get("pay-again", 0)
        expected = {"fetch-quote": quotes, "open-payment": payments, "payment-settled": 1}
        for name, count in expected.items():
            if counts.get(name, 0) != count:
                self.shared.fault(f"{name} was applied {counts.get(name, 0)} times instead of {count}: {counts}")

    def request(self, method, path, body=None, headers={}):
        """Sends a request until some process of the service answers it."""
        while time.monotonic() < self.deadline:
            try:
                status, answer = send(self.shared.choose(self.shared.ports), method, path, body, headers)
                if status < 500:
                    return status, answer
            except (OSError, http.client.HTTPException, ValueError):
                pass
            time.sleep(0.02)
        shown = self.view["screen"]["name"] if self.view else "nothing"
        raise Unfinished(f"The session {self.session} shows {shown} after {self.shared.limit} seconds.")


def send(port, method, path, body=None, headers={}):
    """Sends one request. Returns the status and the JSON of the response; None for any other body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        data = None if body is None else json.dumps(body)
        connection.request(method, path, data, {"Content-Type": "application/json", **headers})
        response = connection.getresponse()
        content = response.read()
        is_json = response.headers.get_content_type() in ("application/json", "application/problem+json")
        return response.status, json.loads(content) if is_json and content else None
    finally:
        connection.close()
