"""Subscribes many clients to many sessions while others act, and checks that each receives every revision once and in
order."""
import argparse, json, random, re, selectors, socket, sys, threading, time
from gauges import leaks
from usher import Client, Service

parser = argparse.ArgumentParser(prog="script/check events")
parser.add_argument("usher", help="the executable")
parser.add_argument("--subscribers", type=int, default=2000, help="the number of event streams (default: %(default)s)")
parser.add_argument("--sessions", type=int, default=500, help="the number of sessions (default: %(default)s)")
parser.add_argument("--clients", type=int, default=16, help="the number of acting clients (default: %(default)s)")
parser.add_argument(
    "--actions", type=int, default=20_000, help="the number of actions on all sessions together (default: %(default)s)")
parser.add_argument(
    "--stalled", type=int, default=5,
    help="the number of subscribers of one more session that read nothing (default: %(default)s)")
parser.add_argument(
    "--busy", type=int, default=4000, help="the number of actions on that session (default: %(default)s)")
parser.add_argument(
    "--seed-fault", choices=("gap", "duplicate"), help="alters the events of one subscriber, so that the check fails")
options = parser.parse_args()
ID = re.compile(rb"^id: (\d+)$", re.M)
# Seconds within which the service and the subscribers must catch up.
TIMEOUT = 30
# Bytes. The limit of unsent data that the system may buffer for a subscriber that does not read.
MAX_BUFFERED = 256 << 10


class RetryingClient(Client):
    """A client that retries while the service sheds load."""

    def request(self, method, path, body=None):
        """Returns the status and the JSON of the response."""
        end = time.monotonic() + TIMEOUT
        while True:
            status, text = super().request(method, path, body)
            if status != 503 or time.monotonic() > end:
                return status, json.loads(text)
            time.sleep(0.1)


class Subscriber:
    """A subscriber of a session, which keeps the revisions of the events."""

    def __init__(self, port, session, receive_buffer=None):
        self.session, self.revisions, self.rest, self.body, self.is_over = session, [], b"", [], False
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(("127.0.0.1", port))
        self.end = time.monotonic() + TIMEOUT
        self.send_request()

    def send_request(self):
        self.socket.sendall(f"GET {self.session}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.in_head = True

    def receive(self):
        data = self.socket.recv(1 << 18)
        self.is_over = not data
        self.rest += data
        if self.in_head:
            if b"\r\n\r\n" not in self.rest:
                return
            head, rest = self.rest.split(b"\r\n\r\n", 1)
            if head.startswith(b"HTTP/1.1 503") and time.monotonic() < self.end:
                # A slow machine sheds load, because all subscribers connect at the same time.
                if len(rest) == int(re.search(rb"Content-Length: (\d+)", head)[1]):
                    self.rest = b""
                    time.sleep(0.1)
                    self.send_request()
                return
            assert head.startswith(b"HTTP/1.1 200"), head
            self.rest = rest
            self.in_head = False
        at = 0
        while (end := self.rest.find(b"\r\n", at)) >= 0:
            size = int(self.rest[at:end], 16)
            if len(self.rest) < end + 4 + size:
                break
            self.body.append(self.rest[end + 2:end + 2 + size])
            at = end + 4 + size
        self.rest = self.rest[at:]
        whole, mark, rest = b"".join(self.body).rpartition(b"\n\n")
        self.body = [rest]
        self.revisions += [int(number) for number in ID.findall(whole)]


def buffered(port, subscribers):
    """Returns the unsent bytes of each connection that the service still has to one of these subscribers (proc(5),
    /proc/net/tcp)."""
    ports = {subscriber.socket.getsockname()[1] for subscriber in subscribers}
    found = []
    for line in open("/proc/net/tcp").readlines()[1:]:
        _, local, remote, _, queues, *_ = line.split()
        if int(local.split(":")[1], 16) == port and int(remote.split(":")[1], 16) in ports:
            found.append(int(queues.split(":")[0], 16))
    return found


failures = []


def reporting_failures(work):
    """Records an exception in a thread as a failure of the run."""
    def run(*arguments):
        try:
            work(*arguments)
        except Exception as failure:
            failures.append(f"{work.__name__}: {failure!r}")
    return run


@reporting_failures
def act(port, sessions, count, seed):
    """Acts on sessions that clients share, so that the service refuses some actions."""
    choices, client = random.Random(seed), RetryingClient(port)
    for _ in range(count):
        session = choices.choice(sessions)
        status, view = client.request("POST", session + "/actions/" + choices.choice(("next", "third", "first")))
        assert status in (200, 409), view


@reporting_failures
def keep_busy(port, session, count, reading, stalled):
    """Acts at the pace of the reading subscribers. The service would rightly disconnect subscribers that fall behind on
    a slow machine."""
    client = RetryingClient(port)
    for number in range(count):
        if number % 50 == 0:
            largest = max(buffered(port, stalled), default=0)
            assert largest <= MAX_BUFFERED, f"The system buffers {largest} bytes for a subscriber that does not read."
        end = time.monotonic() + TIMEOUT
        while any(not subscriber.revisions or subscriber.revisions[-1] < number - 100 for subscriber in reading):
            assert time.monotonic() < end, f"A subscriber is {TIMEOUT} s behind at revision {number}."
            time.sleep(0.005)
        status, view = client.request("POST", session + ("/back" if number % 2 else "/actions/fields"))
        assert status == 200, view


def run():
    # All subscribers have the same address, so one limit of event streams applies to all of them.
    service = Service("--apps", "pages,gallery", "--max-streams-per-client", "1000000", executable=options.usher)
    try:
        return check(service)
    finally:
        service.stop()


def check(service):
    first = RetryingClient(service.port)
    sessions = [
        first.request("POST", "/v1/sessions", {"app": "pages"})[1]["links"]["self"] for _ in range(options.sessions)]
    busy = first.request("POST", "/v1/sessions", {"app": "gallery"})[1]["links"]["self"]
    before, threads, selector = service.resident_kibibytes(), service.thread_count(), selectors.DefaultSelector()
    subscribers = [Subscriber(service.port, sessions[number % len(sessions)]) for number in range(options.subscribers)]
    for subscriber in subscribers:
        while not subscriber.revisions:
            subscriber.receive()
            assert not subscriber.is_over, f"The stream ended early: {subscriber.rest}"
        selector.register(subscriber.socket, selectors.EVENT_READ, subscriber)
    per_subscriber = (service.resident_kibibytes() - before) / len(subscribers)
    threads = service.thread_count() - threads
    stalled = [Subscriber(service.port, busy, 4096) for _ in range(options.stalled)]
    reading = [Subscriber(service.port, busy) for _ in range(options.stalled)]
    for subscriber in reading:
        selector.register(subscriber.socket, selectors.EVENT_READ, subscriber)
    time.sleep(0.2)

    begin = time.monotonic()
    actors = [threading.Thread(target=keep_busy, args=(service.port, busy, options.busy, reading, stalled))]
    for seed in range(options.clients):
        actors.append(
            threading.Thread(target=act, args=(service.port, sessions, options.actions // options.clients, seed)))
    for actor in actors:
        actor.start()
    receive_until(selector, lambda: not any(actor.is_alive() for actor in actors), 600)
    acted = time.monotonic() - begin
    after = RetryingClient(service.port)
    last = {session: after.request("GET", session)[1]["session"]["revision"] for session in [*sessions, busy]}
    readers = subscribers + reading
    receive_until(
        selector, lambda: all(subscriber.revisions[-1] == last[subscriber.session] for subscriber in readers), 30)

    if options.seed_fault:
        revisions = subscribers[0].revisions
        revisions.insert(1, revisions[0]) if options.seed_fault == "duplicate" else revisions.pop(len(revisions) // 2)
    wrong = [
        subscriber for subscriber in readers if subscriber.revisions != list(range(1, last[subscriber.session] + 1))]
    for subscriber in wrong[:5]:
        received = f"{subscriber.revisions[:20]} … {subscriber.revisions[-5:]}"
        print(f"{subscriber.session} is at revision {last[subscriber.session]}; received: {received}")
    remaining = len(buffered(service.port, stalled))
    disconnected = sum(is_disconnected(subscriber) for subscriber in stalled)
    for client in (first, after):
        client.close()
    for subscriber in readers + stalled:
        subscriber.socket.close()
    leaked = leaks(service.port)
    events = sum(len(subscriber.revisions) for subscriber in readers)
    revisions = sum(last.values()) - len(last)
    print(
        f"{len(subscribers)} subscribers on {len(sessions)} sessions, {options.clients} clients: "
        f"{revisions} revisions, {events} events in {acted:.1f} s")
    print(f"  {per_subscriber:.1f} KiB a subscriber, {threads} additional threads")
    print(
        f"  {disconnected} of {len(stalled)} subscribers that did not read were disconnected; "
        f"the system buffers data for {remaining}")
    print(f"{len(wrong)} subscribers did not receive every revision once and in order")
    for failure in failures + leaked:
        print(failure)
    return (
        not wrong and not failures and not leaked and threads <= 0 and disconnected == len(stalled) and remaining == 0)


def receive_until(selector, is_done, seconds):
    end = time.monotonic() + seconds
    while not is_done() and time.monotonic() < end:
        for key, _ in selector.select(0.05):
            key.data.receive()
            if key.data.is_over:
                selector.unregister(key.fileobj)


def is_disconnected(subscriber):
    """Returns whether the stream of a subscriber that has not read ends."""
    subscriber.socket.settimeout(5)
    try:
        while subscriber.socket.recv(1 << 20):
            pass
        return True
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


sys.exit(0 if run() else 1)
