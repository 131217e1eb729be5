"""The servers, the load and the table of all benchmarks."""
import atexit, http.client, os, re, socket, statistics, subprocess, sys, tempfile, time, urllib.request

BIN, USHER = sys.argv[1], sys.argv[2]
HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS, ROUNDS = int(os.environ.get("BENCH_SECONDS", 3)), int(os.environ.get("BENCH_ROUNDS", 5))
MANY = int(os.environ.get("BENCH_SESSIONS", 1_000_000))
# For each app, its cycle of actions, and the action that leads from any screen to the start of the cycle. The action is
# None if the cycle can start on any screen.
CYCLES = {
    "pages": ("/actions/next= /actions/first=", "/actions/first"),
    "shop": ('/actions/buy={"product":1} /back=', "/back"),
    "deep": ("/actions/change=", None),
}


class Process:
    def __init__(self, *command):
        self.process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)

    def cpu(self):
        fields = open(f"/proc/{self.process.pid}/stat").read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident(self):
        return int(re.search(r"VmRSS:\s+(\d+)", open(f"/proc/{self.process.pid}/status").read())[1]) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait(30)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port):
    for _ in range(2000):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.01)
    sys.exit(f"The server on port {port} did not start within 20 s.")


class Loaded(Process):
    """A service with many sessions of one app."""

    def __init__(self, app, sessions, depth=1, store="memory", under=()):
        self.port, self.ids, self.app = free_port(), tempfile.mktemp(), app
        super().__init__(*under, f"{BIN}/loaded", self.port, app, sessions, depth, self.ids, store)
        self.process.stdout.readline()

    def first_id(self):
        return open(self.ids).readline().strip()

    def reset(self):
        """Returns every session to the start of its cycle. A session at the start refuses the action."""
        path = CYCLES[self.app][1]
        if path is None:
            return
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        for session in open(self.ids).read().split():
            connection.request("POST", f"/v1/sessions/{session}{path}")
            connection.getresponse().read()
        connection.close()

    def stop(self):
        super().stop()
        os.unlink(self.ids)


class Bare(Process):
    """The reference server, a bare handler of libmicrohttpd."""

    def __init__(self, size):
        self.port = free_port()
        super().__init__(f"{BIN}/bare", self.port, size)
        wait_for(self.port)


def wrk(server, load, connections=32):
    """Runs one round. Returns requests a second, p99 in ms, and processor time of the server in µs a request."""
    load.reset()
    threads = min(2, connections)
    environment = dict(os.environ, IDS=load.ids, CYCLE=CYCLES[load.app][0], THREADS=str(threads))
    return run_wrk(server, connections, "/", ("-s", f"{HERE}/actions.lua"), environment)


def run_wrk(server, connections, path, options, environment=os.environ):
    before = server.cpu()
    command = ["wrk", f"-t{min(2, connections)}", f"-c{connections}", f"-d{SECONDS}s", "--latency", *options]
    command.append(f"http://127.0.0.1:{server.port}{path}")
    out = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS + 60).stdout
    requests = int(re.search(r"(\d+) requests in", out)[1])
    # If the system suspends a thread for 10 ms, the next request for the same session overtakes that of the thread. The
    # service then refuses the overtaken request.
    refused = re.search(r"Non-2xx or 3xx responses: (\d+)", out)
    if "Socket errors" in out or refused and int(refused[1]) > requests / 1000:
        sys.exit(f"Some requests failed:\n{out}")
    p99 = re.search(r"99%\s+([\d.]+)(us|ms|s)", out)
    scale = {"us": 1e-3, "ms": 1, "s": 1e3}[p99[2]]
    rate = float(re.search(r"Requests/sec:\s+([\d.]+)", out)[1])
    return rate, float(p99[1]) * scale, (server.cpu() - before) / requests * 1e6


def pages(load):
    """Requests the page of a session and its JSON view in turn. Returns the medians of the figures of each."""
    path = f"/v1/sessions/{load.first_id()}"
    rounds = [
        [run_wrk(load, 32, path, ("-H", f"Accept: {accept}")) for accept in ("text/html", "application/json")]
        for _ in range(ROUNDS)]
    return [[statistics.median(column) for column in zip(*side)] for side in zip(*rounds)]


def interleaved(one, other, load_of_other=None, connections=32):
    """Runs rounds of both servers in turn. Returns the medians of the figures of each."""
    rounds = [
        (wrk(one, one, connections), wrk(other, load_of_other or other, connections)) for _ in range(ROUNDS)]
    return [[statistics.median(column) for column in zip(*side)] for side in zip(*rounds)]


def body_size(load):
    """Returns the size of a typical response, the view of a session."""
    with urllib.request.urlopen(f"http://127.0.0.1:{load.port}/v1/sessions/{load.first_id()}") as answer:
        return len(answer.read())


rows = []


def row(name, figure, target, is_met):
    rows.append((name, figure, target, "yes" if is_met else "NO"))
    print(f"{name}: {figure} (target {target})", file=sys.stderr)


def ready_in(*arguments):
    """Starts the service. Returns it, its port, and the milliseconds until it is ready."""
    port, begin = free_port(), time.monotonic()
    usher = Process(USHER, "serve", "--port", port, *arguments)
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=1):
                break
        except OSError:
            time.sleep(0.001)
    time_taken = (time.monotonic() - begin) * 1000
    return usher, port, time_taken


def print_table():
    widths = [max(len(line[column]) for line in rows) for column in range(4)]
    for line in [("", "measured", "target", "met")] + rows:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, [max(w, 8) for w in widths])))
