"""A temporary PostgreSQL server, and PgBouncer in front of it.

    postgres.py COMMAND…     runs a command with TEST_POSTGRES set to the URL of a server
"""
import atexit, os, subprocess, sys
from processes import (
    Server, end_on_signals, free_port, postgres_program, tail, temporary_folder, unprivileged, wait_until)

# The durability of production, and little memory. Each of the concurrent tests uses several connections.
SETTINGS = {
    "fsync": "on", "synchronous_commit": "on", "shared_buffers": "16MB", "max_connections": "400",
    "listen_addresses": "127.0.0.1", "log_min_messages": "warning",
}


class Postgres:
    """A server with a folder of its own. It trusts every client on this machine."""

    def __init__(self):
        self.folder = temporary_folder("postgres", owner="postgres" if os.geteuid() == 0 else None)
        self.data, self.log = os.path.join(self.folder, "data"), os.path.join(self.folder, "log")
        self.port = free_port()
        self._run(
            "initdb", "-D", self.data, "-U", "usher", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8",
            "--no-instructions")
        with open(os.path.join(self.data, "postgresql.auto.conf"), "a") as file:
            settings = {**SETTINGS, "port": str(self.port), "unix_socket_directories": self.folder}
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        atexit.register(self.stop)
        self.control("start")
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self.port), "-U", "usher", "usher")

    @property
    def url(self):
        return f"postgres://usher@127.0.0.1:{self.port}/usher"

    def restart_immediately(self):
        """Restarts the server as after a power failure: it aborts all transactions, and recovers from its log."""
        self.control("restart", "-m", "immediate")

    def processes(self):
        """Returns the ids of the server's processes, the postmaster first."""
        with open(os.path.join(self.data, "postmaster.pid")) as file:
            postmaster = int(file.readline())
        with open(f"/proc/{postmaster}/task/{postmaster}/children") as file:
            return [postmaster, *map(int, file.read().split())]

    def stop(self):
        atexit.unregister(self.stop)
        self.control("stop", "-m", "fast", check=False)

    def control(self, *arguments, check=True):
        self._run("pg_ctl", *arguments, "-D", self.data, "-l", self.log, "-w", "-t", "60", check=check)

    def _run(self, program, *arguments, check=True):
        command = [postgres_program(program), *arguments]
        # Output goes to a file, because the server that pg_ctl starts would keep a pipe open.
        printed = os.path.join(self.folder, program)
        with open(printed, "w") as output:
            streams = {"stdout": output, "stderr": output, "stdin": subprocess.DEVNULL}
            done = subprocess.run(command, cwd="/", **streams, **unprivileged())
        if check and done.returncode != 0:
            raise SystemExit(f"{program} {' '.join(arguments)} failed:\n{tail(printed)}{tail(self.log)}")


class PgBouncer:
    """PgBouncer in transaction mode: each transaction of a client may run on another connection to the server."""

    def __init__(self, postgres):
        self.folder = temporary_folder("pgbouncer", owner="postgres" if os.geteuid() == 0 else None)
        self.port = free_port()
        self.log = os.path.join(self.folder, "log")
        configuration = os.path.join(self.folder, "pgbouncer.ini")
        with open(configuration, "w") as file:
            # With auth_type any, PgBouncer needs to know as which user it connects to the database.
            file.write(
                f"[databases]\nusher = host=127.0.0.1 port={postgres.port} dbname=usher user=usher\n"
                f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\nauth_type = any\n"
                "pool_mode = transaction\ndefault_pool_size = 6\nmax_client_conn = 100\nserver_login_retry = 1\n")
        self.server = Server(["/usr/sbin/pgbouncer", configuration], self.log, **unprivileged())
        wait_until(lambda: "process up" in tail(self.log), 10, "PgBouncer")

    @property
    def url(self):
        return f"postgres://usher@127.0.0.1:{self.port}/usher"

    def stop(self):
        self.server.stop()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: script/support/postgres COMMAND…")
    end_on_signals()
    postgres = Postgres()
    try:
        status = subprocess.run(sys.argv[1:], env=dict(os.environ, TEST_POSTGRES=postgres.url)).returncode
    finally:
        postgres.stop()
    sys.exit(status)
