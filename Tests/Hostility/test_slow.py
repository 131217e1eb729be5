"""Attacks by slow clients: meanwhile everybody else is answered as always."""
import csv, os, statistics, subprocess, tempfile, time, unittest

from service import SERVICE

CONNECTIONS = 200
SECONDS = int(os.environ.get("HOSTILITY_SECONDS", 20))
# Of another client's requests, the slowest but for one in a hundred. The machine may be busy; an attack that works takes seconds.
LIMIT = 0.5


class Slow(unittest.TestCase):
    def test_slow_headers(self):
        self.attack("headers", "-H", "-i", "2")

    def test_slow_bodies(self):
        self.attack("bodies", "-B", "-i", "2", "-s", "8192")

    def test_slow_reading(self):
        self.attack("reading", "-X", "-w", "10", "-y", "20", "-n", "2", "-z", "5", "-k", "3", target="/openapi.yaml")

    def attack(self, name, *options, target="/v1/sessions"):
        with tempfile.TemporaryDirectory() as folder:
            command = [
                "slowhttptest", "-c", CONNECTIONS, "-r", CONNECTIONS, "-l", SECONDS, "-p", 3, "-g", "-o", folder + "/attack",
                "-u", f"http://127.0.0.1:{SERVICE.port}{target}", *options]
            process = subprocess.Popen(
                [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                times = self.ask_until(lambda: process.poll() is not None)
            finally:
                if process.poll() is None:
                    process.kill()
                process.wait()
            held = self.held(folder + "/attack.csv")
        median, most = statistics.median(times), statistics.quantiles(times, n=100)[98]
        print(
            f"slow {name}: {held} connections held, {len(times)} requests of another client, "
            f"median {median * 1000:.1f} ms, 99th percentile {most * 1000:.1f} ms", flush=True)
        self.assertGreaterEqual(held, CONNECTIONS // 2, "There was no attack.")
        self.assertLess(most, LIMIT)
        self.assertTrue(SERVICE.lives())

    def ask_until(self, is_over):
        """How long each of a client's requests took, ten a second."""
        session = SERVICE.new_session()
        times = []
        end = time.monotonic() + SECONDS + 30
        while not is_over():
            self.assertLess(time.monotonic(), end, "The attack does not end.")
            begin = time.monotonic()
            self.assertEqual(SERVICE.ask(f"/v1/sessions/{session}")["session"]["id"], session)
            times.append(time.monotonic() - begin)
            time.sleep(0.1)
        return times

    def held(self, path):
        """How many connections the attack had at once, at most."""
        with open(path) as file:
            return max(int(row["Connected"]) for row in csv.DictReader(file))
