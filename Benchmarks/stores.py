"""Measures durable sessions: SQLite compared with a bare handler, PostgreSQL with pgbench, and very many sessions."""
import http.client, json, os, re, shutil, statistics, subprocess, tempfile
import fill
from measure import ROUNDS, SECONDS, Bare, Loaded, Process, body_size, interleaved, ready_in, row, wrk

STORED = int(os.environ.get("BENCH_STORED", 10_000_000))
POSTGRES = os.environ["TEST_POSTGRES"]
# So many that no request overtakes the previous one for the same session, even if the system suspends a thread of wrk.
SESSIONS = 4000


def run():
    folder = tempfile.mkdtemp(prefix="usher-bench-")
    try:
        sqlite(folder)
        postgres()
        many_stored(folder)
    finally:
        shutil.rmtree(folder)


def sqlite(folder):
    load = Loaded("pages", SESSIONS, store=f"sqlite:{folder}/pages.sqlite")
    bare = Bare(body_size(load))
    wrk(load, load, 64)  # Warms up, because a log that still grows causes additional writes.
    for connections in (1, 8, 64, 256):
        ours, theirs = interleaved(load, bare, load, connections=connections)
        ratio, target = ours[0] / theirs[0], 0.45 if connections == 64 else None
        row(f"(e) SQLite, {connections} connections: actions/s to bare",
            f"{ratio:.2f}  ({ours[0]:.0f} to {theirs[0]:.0f})", f">= {target}" if target else "-",
            target is None or ratio >= target)
        row(
            f"(e) SQLite, {connections} connections: p99 ms, CPU µs an action", f"{ours[1]:.2f}, {ours[2]:.1f}", "-",
            True)
    bare.stop()
    load.stop()
    # The creation of the sessions waits for the disk as well. Its waits are subtracted.
    _, creating = syncs(folder, 0)
    for connections in (1, 64, 256):
        done, waits = syncs(folder, connections)
        row(f"(e) SQLite, {connections} connections: actions a wait for the disk",
            f"{done / (waits - creating):.1f}", "-", True)
    written(folder)


def written(folder):
    """Measures the bytes that one action writes to SQLite's log: in a small session, and after large inputs."""
    load = Loaded("deep", 1, store=f"sqlite:{folder}/written.sqlite")
    connection = http.client.HTTPConnection("127.0.0.1", load.port)

    def write(name, actions, input="{}", key=False, limit=None):
        growth = []
        for number in range(actions):
            before = os.path.getsize(f"{folder}/written.sqlite-wal")
            headers = {"Content-Type": "application/json"} | ({"Idempotency-Key": f"{name}{number}"} if key else {})
            connection.request("POST", f"/v1/sessions/{load.first_id()}/actions/change", input, headers)
            response = connection.getresponse()
            assert response.status == 200, response.read()
            response.read()
            growth.append((os.path.getsize(f"{folder}/written.sqlite-wal") - before) / 1024)
        row(
            f"(e) SQLite, {name}: KiB written an action, mean and maximum of {actions}",
            f"{statistics.mean(growth):.1f}, {max(growth):.1f}", f"<= {limit}" if limit else "-",
            limit is None or statistics.mean(growth) <= limit)

    # Few enough actions that the log never starts again from its beginning.
    write("a small session", 48, limit=16)
    write("a small session with keys", 48, key=True, limit=16)
    write("inputs of 60 KB with keys", 8, json.dumps({"note": "x" * 60_000}), key=True)
    write("small actions after them", 8, key=True, limit=16)
    connection.close()
    load.stop()


def syncs(folder, connections):
    """Returns the number of actions, and of waits for the disk, which strace counts as calls of fdatasync."""
    counts = os.path.join(folder, "strace")
    under = ("strace", "-f", "--seccomp-bpf", "-qq", "-c", "-e", "trace=fdatasync", "-o", counts)
    load = Loaded("pages", SESSIONS, store=f"sqlite:{folder}/sync.sqlite", under=under)
    done = wrk(load, load, connections)[0] * SECONDS if connections else 0
    # Stops the service itself, because strace would not forward the signal.
    child = open(f"/proc/{load.process.pid}/task/{load.process.pid}/children").read().split()[0]
    os.kill(int(child), 15)
    load.process.wait(30)
    os.unlink(load.ids)
    for end in ("", "-wal", "-shm"):
        if os.path.exists(f"{folder}/sync.sqlite{end}"):
            os.unlink(f"{folder}/sync.sqlite{end}")
    # Columns: % time, seconds, µs a call, calls, errors (optional), name.
    [line] = [line for line in open(counts) if line.rstrip().endswith("fdatasync")]
    return done, int(line.split()[3])


def pgbench(clients):
    """Returns the transactions a second of an update of one row, in a table with a row for each session."""
    script = tempfile.NamedTemporaryFile("w", suffix=".sql")
    script.write("\\set id random(1, 1000)\nUPDATE bench SET value = value + 1 WHERE id = :id;\n")
    script.flush()
    out = subprocess.run(
        [
            "pgbench", "-n", "-M", "prepared", "-f", script.name, "-c", str(clients), "-j", "2", "-T", str(SECONDS),
            POSTGRES],
        capture_output=True, text=True, check=True).stdout
    return float(re.search(r"tps = ([\d.]+)", out)[1])


def postgres():
    subprocess.run(
        ["psql", "-q", POSTGRES, "-c", "CREATE TABLE bench (id int PRIMARY KEY, value int)",
         "-c", "INSERT INTO bench SELECT generate_series(1, 1000), 0"], check=True)
    load = Loaded("pages", SESSIONS, store=POSTGRES)
    for connections in (8, 64):
        rounds = [(wrk(load, load, connections), pgbench(connections)) for _ in range(ROUNDS)]
        ours = statistics.median(one[0] for one, _ in rounds)
        theirs = statistics.median(other for _, other in rounds)
        row(f"(f) PostgreSQL, {connections} connections: actions/s to pgbench",
            f"{ours / theirs:.2f}  ({ours:.0f} to {theirs:.0f})", ">= 1.0", ours / theirs >= 1)
        row(
            f"(f) PostgreSQL, {connections} connections: p99 ms",
            f"{statistics.median(one[1] for one, _ in rounds):.2f}", "-", True)
    load.stop()


class Stored(Process):
    """The service on an existing file."""

    app = "pages"

    def __init__(self, path, ids):
        self.ids = ids
        usher, self.port, self.time_taken = ready_in("--store", f"sqlite:{path}", "--apps", "pages")
        self.process = usher.process

    reset = Loaded.reset


def start_time(path, ids):
    times = []
    for _ in range(5):
        service = Stored(path, ids)
        times.append(service.time_taken)
        service.stop()
    return statistics.median(times)


def many_stored(folder):
    figures = {}
    for count in (1000, STORED):
        path, ids = f"{folder}/{count}.sqlite", f"{folder}/{count}.ids"
        fill.fill(path, count, ids)
        if count == STORED:
            started = start_time(path, ids)
            row(
                f"(g) ms from start to ready with {count} stored sessions, median of 5", f"{started:.0f}", "<= 100",
                started <= 100)
        service = Stored(path, ids)
        wrk(service, service, 64)
        figures[count] = wrk(service, service, 64)
        if count == STORED:
            resident = service.resident()
            row(f"(g) MiB with {count} stored sessions, under load", f"{resident:.0f}", "<= 256", resident <= 256)
        service.stop()
    less, more = figures[1000], figures[STORED]
    row(
        f"(g) {STORED} stored sessions to 1,000: actions/s",
        f"{more[0] / less[0]:.2f}  ({more[0]:.0f} to {less[0]:.0f})", "-", True)
    row(f"(g) {STORED} stored sessions to 1,000: CPU µs an action", f"{more[2]:.1f}, {less[2]:.1f}", "-", True)
