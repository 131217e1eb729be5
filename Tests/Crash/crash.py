"""Checks that no acknowledged action is lost or repeated after a crash."""
import argparse, random, signal, sys, tempfile, time

from kills import Rounds
from oracle import Tally
from power_cuts import Recording
from record import RecorderFault
from usher import NotStarted

FULL, NORMAL = "", "?synchronous=normal"


def parse_arguments():
    parser = argparse.ArgumentParser(prog="script/check crash")
    parser.add_argument("usher", help="the executable")
    parser.add_argument(
        "--short", action="store_true", help="fewer rounds and points, and a test that seeded faults are detected")
    parser.add_argument("--seed-fault", choices=("lost", "repeated"), help="seeds a fault, so that the check fails")
    parser.add_argument("--rounds", type=int, help="the number of kills (default: 1000, with --short 20)")
    parser.add_argument("--points", type=int, help="the number of power cuts (default: 200, with --short 40)")
    parser.add_argument("--seed", type=int, help="repeats the choices of a run, but not the timing of the service")
    parser.add_argument("--library", required=True, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.rounds is None:
        options.rounds = 20 if options.short else 1000
    if options.points is None:
        options.points = 40 if options.short else 200
    if options.seed is None:
        options.seed = random.randrange(1 << 32)
    return options


class Progress:
    """Prints a line every ten seconds."""

    def __init__(self, unit, tally):
        self.unit, self.tally, self.last = unit, tally, time.monotonic()

    def __call__(self, number):
        if time.monotonic() - self.last >= 10:
            self.last = time.monotonic()
            print(f"  {number} {self.unit}: {self.tally}", flush=True)


def conclude(title, tally, is_good):
    print(f"{title}: {tally}", flush=True)
    if not is_good:
        print(*tally.details(), sep="\n", flush=True)
    return is_good


def kill(options, rounds, seeded_fault=None):
    """Kills the service in many rounds. With a seeded fault, stops at the round that detects it."""
    with tempfile.TemporaryDirectory(prefix="usher-crash-") as folder:
        run = Rounds(options.usher, folder, options.seed, seeded_fault)
        detected = (lambda: run.tally.faults[seeded_fault] > 0) if seeded_fault else (lambda: False)
        count = run.run(rounds, detected, Progress("rounds", run.tally))
    return f"{count} rounds, {run.killed_starts} kills during the start", run.tally


def cut(options, option, points, until_lost=False):
    """Cuts the power at points of a recorded run. Returns the tally of the run, the number of points, and their
    tally."""
    with tempfile.TemporaryDirectory(prefix="usher-crash-") as folder:
        recording, tally = Recording(options.usher, options.library, folder, option, options.seed), Tally()
        recording.run(*((6, 0.25) if options.short else (12, 0.8)))
        detected = (lambda: tally.faults["lost"] > 0) if until_lost else (lambda: False)
        count = recording.cut(recording.points(points), tally, detected, Progress("points", tally))
    tally.acknowledged, tally.unknown = recording.state.tally.acknowledged, recording.state.tally.unknown
    return recording.state.tally, f"{count} points", tally


def cut_full(options):
    run, points, tally = cut(options, FULL, options.points)
    is_good = not run.failed or conclude("The recorded run", run, False)
    return conclude(f"Power cut, {points}", tally, not tally.failed) and is_good


def cut_normal(options):
    """Cuts the power while the store does not sync each commit. The check must detect the losses that this causes."""
    run, points, tally = cut(options, NORMAL, 20 if options.short else 60, until_lost=options.short)
    is_good = not run.failed or conclude("The recorded run", run, False)
    others = [count for kind, count in tally.faults.items() if kind != "lost"]
    title = f"Power cut with synchronous=normal, {points}, losses expected"
    return conclude(title, tally, tally.faults["lost"] > 0 and not any(others)) and is_good


def seed_fault(options, kind):
    rounds, tally = kill(options, options.rounds, kind)
    return conclude(f"With a seeded fault, {rounds}", tally, not tally.failed)


def detects(options, kind):
    """Seeds a fault, and returns whether the check detects it."""
    rounds, tally = kill(options, 20, kind)
    is_detected = tally.faults[kind] > 0
    print(
        f"Seeded fault \"{Tally.KINDS[kind]}\": {'detected' if is_detected else 'NOT DETECTED'} after {rounds}",
        flush=True)
    return is_detected


def main():
    options = parse_arguments()
    # A client waits at most half a minute for the service. The alarm ends a run that hangs for any other reason.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("The check was stopped."))
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("The check exceeded its time limit."))
    signal.alarm(600 if options.short else 4 * 3600)
    print(f"Seed {options.seed}", flush=True)
    if options.seed_fault:
        sys.exit(0 if seed_fault(options, options.seed_fault) else 1)
    results = []
    if options.rounds:
        rounds, tally = kill(options, options.rounds)
        results.append(conclude(f"Kill, {rounds}", tally, not tally.failed))
    if options.short:
        results += [detects(options, "lost"), detects(options, "repeated")]
    if options.points:
        results += [cut_full(options), cut_normal(options)]
    print("No acknowledged action was lost or repeated." if all(results) else "FAILED", flush=True)
    sys.exit(0 if all(results) else 1)


try:
    main()
except (NotStarted, RecorderFault) as fault:
    sys.exit(str(fault))
