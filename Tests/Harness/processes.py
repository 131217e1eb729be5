"""Processes that the run starts and ends: those of Usher, and what they share with the other servers."""
import atexit, glob, os, shutil, signal, socket, subprocess, sys, tempfile, threading, time, urllib.request


def free_ports(count):
    """Ports that nobody listens on, all different."""
    probes = [socket.socket() for _ in range(count)]
    for probe in probes:
        probe.bind(("127.0.0.1", 0))
    ports = [probe.getsockname()[1] for probe in probes]
    for probe in probes:
        probe.close()
    return ports


def folder(name, owner=None):
    """A folder for a while; it is gone at the end."""
    path = tempfile.mkdtemp(prefix=f"usher-{name}-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    # Servers that give up being root have to get through it.
    os.chmod(path, 0o755)
    if owner:
        shutil.chown(path, owner)
    return path


def end_on_signals():
    """SIGTERM and SIGHUP end the run as an error does, so that what it started ends with it."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))


def unprivileged():
    """How to start a process as PostgreSQL's own user where this is root, which PostgreSQL refuses to be."""
    return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


def tail(path, lines=20):
    try:
        with open(path, errors="replace") as file:
            return "".join(file.readlines()[-lines:])
    except FileNotFoundError:
        return ""


def postgres_program(name):
    """Debian keeps PostgreSQL's own programs out of PATH, one folder a version."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), key=lambda path: float(path.split("/")[4]))
    return found[-1] if found else shutil.which(name) or name


def wait_until(is_done, seconds, what):
    end = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > end:
            raise SystemExit(f"{what} did not come to be in {seconds} s.")
        time.sleep(0.02)


class Server:
    """A process that serves until it is told to stop, whatever becomes of this one."""

    def __init__(self, command, log, **options):
        self.log = log
        with open(log, "a") as output:
            self.process = subprocess.Popen([str(part) for part in command], stdout=output, stderr=output, **options)
        atexit.register(self.end)

    def is_running(self):
        return self.process.poll() is None

    def kill(self):
        atexit.unregister(self.end)
        if self.is_running():
            self.process.kill()
        self.process.wait(30)

    def stop(self, seconds=30):
        """Its exit status."""
        atexit.unregister(self.end)
        if self.is_running():
            self.process.terminate()
        return self.process.wait(seconds)

    def end(self):
        """However it goes: first so that it can end what it has started itself."""
        try:
            self.stop(5)
        except subprocess.TimeoutExpired:
            self.kill()


class Replica:
    """`usher serve` at one port, again and again."""

    def __init__(self, usher, port, store):
        self.command = [usher, "serve", "--port", port, "--store", store, "--history", 10000, "--apps", "tabs"]
        self.port = port
        self.log = os.path.join(folder("replica"), "log")
        self.lock = threading.Lock()
        self.server = None

    def start(self):
        with self.lock:
            self.server = Server(self.command, self.log)

    def is_ready(self):
        if not self.server.is_running():
            raise SystemExit(f"A replica ended by itself with {self.server.process.returncode}:\n{tail(self.log)}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=1) as answer:
                return answer.status == 200
        except OSError:
            return False

    def wait_until_ready(self, seconds=60):
        wait_until(self.is_ready, seconds, f"The replica at port {self.port}")

    def kill(self):
        with self.lock:
            self.server.kill()

    def stop(self):
        with self.lock:
            return self.server.stop()
