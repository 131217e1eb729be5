"""Servers as child processes, free ports, and temporary folders."""
import atexit, glob, os, random, shutil, signal, socket, subprocess, sys, tempfile, time


# Below the ports that the system chooses, so that no connection takes one before its server listens.
FREE_PORTS = range(20_000, 32_000)
# Sockets of another protocol on the same numbers, by which other processes of the tests know which ports are taken.
RESERVATIONS = []


def free_ports(count):
    """Returns different ports on which no process listens. They stay reserved until this process ends."""
    ports = []
    for port in random.sample(FREE_PORTS, len(FREE_PORTS)):
        reservation = socket.socket(type=socket.SOCK_DGRAM)
        try:
            reservation.bind(("127.0.0.1", port))
            with socket.socket() as probe:
                probe.bind(("127.0.0.1", port))
        except OSError:
            reservation.close()
            continue
        RESERVATIONS.append(reservation)
        ports.append(port)
        if len(ports) == count:
            return ports
    raise AssertionError("There is no free port.")


def free_port():
    return free_ports(1)[0]


def temporary_folder(name, owner=None):
    """Returns the path of a new folder, which is deleted at the end of this process."""
    path = tempfile.mkdtemp(prefix=f"usher-{name}-")
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    # Servers that drop root privileges need access as well.
    os.chmod(path, 0o755)
    if owner:
        shutil.chown(path, owner)
    return path


def end_on_signals():
    """Lets SIGTERM and SIGHUP end this process through its exit handlers, so that its child processes end as well."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(1))


def unprivileged():
    """Returns the options that start a process as the user postgres if this process is root, because PostgreSQL refuses
    to run as root."""
    return {"user": "postgres", "group": "postgres", "extra_groups": []} if os.geteuid() == 0 else {}


def tail(path, lines=20):
    """Returns the last lines of a file, or an empty string if there is no such file."""
    try:
        with open(path, errors="replace") as file:
            return "".join(file.readlines()[-lines:])
    except FileNotFoundError:
        return ""


def postgres_program(name):
    """Returns the path of a program of PostgreSQL. Debian keeps them outside of PATH, in one folder a version."""
    found = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"), key=lambda path: float(path.split("/")[4]))
    return found[-1] if found else shutil.which(name) or name


def wait_until(is_done, seconds, name):
    end = time.monotonic() + seconds
    while not is_done():
        if time.monotonic() > end:
            raise SystemExit(f"{name} did not start within {seconds} s.")
        time.sleep(0.02)


class Server:
    """A child process that serves until it is stopped, at the end of this process at the latest."""

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
        """Sends SIGTERM, and returns the exit status."""
        atexit.unregister(self.end)
        if self.is_running():
            self.process.terminate()
        return self.process.wait(seconds)

    def end(self):
        """Stops the process so that it can end its own child processes, or kills it if it does not stop."""
        try:
            self.stop(5)
        except subprocess.TimeoutExpired:
            self.kill()
