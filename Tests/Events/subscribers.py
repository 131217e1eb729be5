"""Many listeners on many sessions while clients act: each has to hear of every revision once and in order. Called by script/check events."""
import argparse, http.client, json, os, random, re, selectors, socket, subprocess, sys, threading, time

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("usher")
parser.add_argument("--subscribers", type=int, default=2000)
parser.add_argument("--sessions", type=int, default=500)
parser.add_argument("--clients", type=int, default=16)
parser.add_argument("--actions", type=int, default=20_000, help="on all sessions together")
parser.add_argument("--stalled", type=int, default=5, help="listeners that read nothing, on one more session that much happens to")
parser.add_argument("--busy", type=int, default=4000, help="actions on that session")
parser.add_argument("--plant", choices=("gap", "twice"), help="alters what one listener heard, which has to fail")
options = parser.parse_args()
ID = re.compile(rb"^id: (\d+)$", re.M)
# Seconds that the service, or a listener, has to catch up in.
PATIENCE = 30
# Bytes that the system may keep on the service's side for a listener that does not read.
MOST_KEPT = 256 << 10


class Service:
    def __init__(self):
        command = [options.usher, "serve", "--port", "0", "--store", "memory", "--apps", "pages,gallery"]
        # All listeners come from one address.
        command += ["--max-streams-per-client", "1000000"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().rsplit(":", 1)[1])

    def resident(self):
        return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{self.process.pid}/status").read())[1])

    def threads(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task"))

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


class Client:
    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(self, method, path, body=None):
        """Asks again where the service has too much to do, as a client should."""
        end = time.monotonic() + PATIENCE
        while True:
            self.connection.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
            response = self.connection.getresponse()
            status, view = response.status, json.loads(response.read())
            if status != 503 or time.monotonic() > end:
                return status, view
            time.sleep(0.1)


class Listener:
    """One connection that follows a session. What it hears is kept as the revisions alone."""

    def __init__(self, port, session, receive_buffer=None):
        self.session, self.heard, self.rest, self.body, self.is_over = session, [], b"", [], False
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(("127.0.0.1", port))
        self.end = time.monotonic() + PATIENCE
        self.ask()

    def ask(self):
        self.socket.sendall(f"GET {self.session}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        self.in_head = True

    def take(self):
        data = self.socket.recv(1 << 18)
        self.is_over = not data
        self.rest += data
        if self.in_head:
            if b"\r\n\r\n" not in self.rest:
                return
            head, rest = self.rest.split(b"\r\n\r\n", 1)
            if head.startswith(b"HTTP/1.1 503") and time.monotonic() < self.end:
                # So many came at once that a slow machine had too much to do.
                if len(rest) == int(re.search(rb"Content-Length: (\d+)", head)[1]):
                    self.rest = b""
                    time.sleep(0.1)
                    self.ask()
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
        self.heard += [int(number) for number in ID.findall(whole)]


def kept(port, listeners):
    """Bytes that the system keeps for these listeners on the service's side (proc(5), /proc/net/tcp), one number for each that it has."""
    others = {listener.socket.getsockname()[1] for listener in listeners}
    found = []
    for line in open("/proc/net/tcp").readlines()[1:]:
        _, local, remote, _, queues, *_ = line.split()
        if int(local.split(":")[1], 16) == port and int(remote.split(":")[1], 16) in others:
            found.append(int(queues.split(":")[0], 16))
    return found


failures = []


def acting(work):
    """The work of a thread, whose failure is that of the run."""
    def run(*arguments):
        try:
            work(*arguments)
        except Exception as failure:
            failures.append(f"{work.__name__}: {failure!r}")
    return run


@acting
def act(port, sessions, count, seed):
    """Actions on sessions that other clients act on as well: what comes too late is refused."""
    chance, client = random.Random(seed), Client(port)
    for _ in range(count):
        session = chance.choice(sessions)
        status, view = client.ask("POST", session + "/actions/" + chance.choice(("next", "third", "first")))
        assert status in (200, 409), view


@acting
def keep_busy(port, session, count, eager, stalled):
    """At the pace of those who listen: on a slow machine they, too, would be cut off, rightly."""
    client = Client(port)
    for number in range(count):
        if number % 50 == 0:
            most = max(kept(port, stalled), default=0)
            assert most <= MOST_KEPT, f"The system keeps {most} bytes for a listener that reads nothing."
        end = time.monotonic() + PATIENCE
        while any(not listener.heard or listener.heard[-1] < number - 100 for listener in eager):
            assert time.monotonic() < end, f"A listener is behind for {PATIENCE} s, at {number}."
            time.sleep(0.005)
        status, view = client.ask("POST", session + ("/back" if number % 2 else "/actions/fields"))
        assert status == 200, view


def run():
    service = Service()
    try:
        return check(service)
    finally:
        service.stop()


def check(service):
    first = Client(service.port)
    sessions = [first.ask("POST", "/v1/sessions", {"app": "pages"})[1]["links"]["self"] for _ in range(options.sessions)]
    busy = first.ask("POST", "/v1/sessions", {"app": "gallery"})[1]["links"]["self"]
    before, threads, selector = service.resident(), service.threads(), selectors.DefaultSelector()
    listeners = [Listener(service.port, sessions[number % len(sessions)]) for number in range(options.subscribers)]
    for listener in listeners:
        while not listener.heard:
            listener.take()
            assert not listener.is_over, f"The stream ended at once: {listener.rest}"
        selector.register(listener.socket, selectors.EVENT_READ, listener)
    per_listener = (service.resident() - before) / len(listeners)
    threads = service.threads() - threads
    stalled = [Listener(service.port, busy, 4096) for _ in range(options.stalled)]
    eager = [Listener(service.port, busy) for _ in range(options.stalled)]
    for listener in eager:
        selector.register(listener.socket, selectors.EVENT_READ, listener)
    time.sleep(0.2)

    begin = time.monotonic()
    actors = [threading.Thread(target=keep_busy, args=(service.port, busy, options.busy, eager, stalled))]
    for seed in range(options.clients):
        actors.append(threading.Thread(target=act, args=(service.port, sessions, options.actions // options.clients, seed)))
    for actor in actors:
        actor.start()
    listen_until(selector, lambda: not any(actor.is_alive() for actor in actors), 600)
    acted = time.monotonic() - begin
    after = Client(service.port)
    last = {session: after.ask("GET", session)[1]["session"]["revision"] for session in [*sessions, busy]}
    everybody = listeners + eager
    listen_until(selector, lambda: all(listener.heard[-1] == last[listener.session] for listener in everybody), 30)

    if options.plant:
        heard = listeners[0].heard
        heard.insert(1, heard[0]) if options.plant == "twice" else heard.pop(len(heard) // 2)
    wrong = [listener for listener in everybody if listener.heard != list(range(1, last[listener.session] + 1))]
    for listener in wrong[:5]:
        print(f"{listener.session} is at {last[listener.session]}; heard: {listener.heard[:20]} … {listener.heard[-5:]}")
    orphans = len(kept(service.port, stalled))
    cut = sum(is_cut(listener) for listener in stalled)
    events = sum(len(listener.heard) for listener in everybody)
    print(f"{len(listeners)} listeners on {len(sessions)} sessions, {options.clients} clients: {sum(last.values()) - len(last)} revisions, {events} events in {acted:.1f} s")
    print(f"  {per_listener:.1f} KiB a listener, {threads} more threads")
    print(f"  {cut} of {len(stalled)} listeners that read nothing were cut off; the system keeps data for {orphans} of them")
    print(f"{len(wrong)} listeners heard anything else than every revision once and in order")
    for failure in failures:
        print(failure)
    return not wrong and not failures and threads <= 0 and cut == len(stalled) and orphans == 0


def listen_until(selector, is_done, patience):
    end = time.monotonic() + patience
    while not is_done() and time.monotonic() < end:
        for key, _ in selector.select(0.05):
            key.data.take()
            if key.data.is_over:
                selector.unregister(key.fileobj)


def is_cut(listener):
    """Whether the stream of somebody who has read nothing has an end."""
    listener.socket.settimeout(5)
    try:
        while listener.socket.recv(1 << 20):
            pass
        return True
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


sys.exit(0 if run() else 1)
