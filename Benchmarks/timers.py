"""Measures how late timers fire that are due within one second, while other sessions act."""
import os, subprocess, sys, tempfile
from measure import row

COUNT = int(os.environ.get("BENCH_TIMERS", "100000"))


def run():
    timers = os.path.join(sys.argv[1], "timers")
    with tempfile.TemporaryDirectory() as folder:
        for name, store in (
            ("memory", "memory"), ("SQLite", f"sqlite:{folder}/timers.sqlite"),
            ("PostgreSQL on the same cores", os.environ["TEST_POSTGRES"]),
        ):
            printed = subprocess.run([timers, store, str(COUNT)], check=True, capture_output=True, text=True).stdout
            early, missing, repeated, median, p99, latest, _, action = map(int, printed.split())
            row(
                f"(j) {COUNT} timers in a second, {name}: early, lost, repeated", f"{early}, {missing}, {repeated}",
                "0, 0, 0", early == missing == repeated == 0)
            row(
                f"(j) {name}: p99 ms of their lateness (median, maximum; p99 ms of an action)",
                f"{p99}  ({median}, {latest}; {action})", "<= 2000", p99 <= 2000)
