"""A service that is killed, stopped and started again."""
import os, threading, urllib.request
from processes import Server, tail, temporary_folder, wait_until


class Replica:
    """`usher serve` on a fixed port, which can be stopped and started again."""

    def __init__(self, usher, port, store, *options):
        self.port = port
        self.command = [usher, "serve", "--port", port, "--store", store, *options]
        self.log = os.path.join(temporary_folder("replica"), "log")
        self.lock = threading.Lock()
        self.server = None

    def start(self):
        with self.lock:
            self.server = Server(self.command, self.log)

    def is_ready(self):
        if not self.server.is_running():
            raise SystemExit(
                f"A replica ended unexpectedly with status {self.server.process.returncode}:\n{tail(self.log)}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=1) as response:
                return response.status == 200
        except OSError:
            return False

    def wait_until_ready(self, seconds=60):
        wait_until(self.is_ready, seconds, f"The replica on port {self.port}")

    def kill(self):
        with self.lock:
            self.server.kill()

    def stop(self):
        with self.lock:
            return self.server.stop()
