"""Attacks by slow clients, which must not delay other clients."""
import csv, os, statistics, subprocess, tempfile, time, unittest

from service import SERVICE

CONNECTIONS = 200
SECONDS = int(os.environ.get("HOSTILITY_SECONDS", 20))
# Seconds. The limit of the 99th percentile of the duration of another client's requests. A busy machine stays below it,
# and a successful attack causes delays of seconds.
LIMIT = 0.5


class SlowClients(unittest.TestCase):
    def test_slow_heads_do_not_delay_other_clients(self):
        self.attack("heads", "-H", "-i", "2")

    def test_slow_bodies_do_not_delay_other_clients(self):
        self.attack("bodies", "-B", "-i", "2", "-s", "8192")

    def test_slow_readers_do_not_delay_other_clients(self):
        self.attack("reading", "-X", "-w", "10", "-y", "20", "-n", "2", "-z", "5", "-k", "3", target="/openapi.yaml")

    def attack(self, name, *options, target="/v1/sessions"):
        with tempfile.TemporaryDirectory() as folder:
            command = [
                "slowhttptest", "-c", CONNECTIONS, "-r", CONNECTIONS, "-l", SECONDS, "-p", 3, "-g", "-o",
                folder + "/attack",
                "-u", f"http://127.0.0.1:{SERVICE.port}{target}", *options]
            process = subprocess.Popen(
                [str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                times = self.measure_until(lambda: process.poll() is not None)
            finally:
                if process.poll() is None:
                    process.kill()
                process.wait()
            held = self.held_connections(folder + "/attack.csv")
        median, percentile = statistics.median(times), statistics.quantiles(times, n=100)[98]
        print(
            f"slow {name}: {held} connections held, {len(times)} requests of another client, "
            f"median {median * 1000:.1f} ms, 99th percentile {percentile * 1000:.1f} ms", flush=True)
        self.assertGreaterEqual(held, CONNECTIONS // 2, "slowhttptest held too few connections.")
        self.assertLess(percentile, LIMIT)
        self.assertTrue(SERVICE.is_running())
        SERVICE.assert_no_leaks()

    def measure_until(self, is_over):
        """Sends ten requests a second, and returns their durations."""
        session = SERVICE.new_session()
        times = []
        end = time.monotonic() + SECONDS + 30
        while not is_over():
            self.assertLess(time.monotonic(), end, "slowhttptest does not end.")
            begin = time.monotonic()
            self.assertEqual(SERVICE.request("GET", f"/v1/sessions/{session}")["session"]["id"], session)
            times.append(time.monotonic() - begin)
            time.sleep(0.1)
        return times

    def held_connections(self, path):
        """Returns the largest number of simultaneous connections of the attack."""
        with open(path) as file:
            return max(int(row["Connected"]) for row in csv.DictReader(file))
