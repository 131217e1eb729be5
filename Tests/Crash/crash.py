"""Proves that an acknowledged action is never lost and never done twice. Called by script/check crash."""
import argparse, random, signal, sys, tempfile, time

from kill import Rounds
from power import Recording
from record import RecorderFault
from service import NotStarted
from told import Tally

FULL, NORMAL = "", "?synchronous=normal"


def arguments():
    parser = argparse.ArgumentParser(prog="script/check crash", description=__doc__.splitlines()[0])
    parser.add_argument("usher", help="the executable")
    parser.add_argument("--short", action="store_true", help="less of everything, and a check that faults are found")
    parser.add_argument("--plant", choices=("lost", "twice"), help="make such a fault, to see it reported")
    parser.add_argument("--rounds", type=int, help="how often the service is killed")
    parser.add_argument("--points", type=int, help="how often the power is cut")
    parser.add_argument("--seed", type=int, help="for the same choices; the service's timing stays random")
    parser.add_argument("--library", required=True, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.rounds is None:
        given.rounds = 20 if given.short else 1000
    if given.points is None:
        given.points = 40 if given.short else 200
    if given.seed is None:
        given.seed = random.randrange(1 << 32)
    return given


class Progress:
    """A line every ten seconds."""

    def __init__(self, what, tally):
        self.what, self.tally, self.last = what, tally, time.monotonic()

    def __call__(self, number):
        if time.monotonic() - self.last >= 10:
            self.last = time.monotonic()
            print(f"  {number} {self.what}: {self.tally}", flush=True)


def conclude(title, tally, is_good):
    print(f"{title}: {tally}", flush=True)
    if not is_good:
        print(*tally.details(), sep="\n", flush=True)
    return is_good


def kill(given, rounds, plant=None):
    """Kills the service round after round; with a fault planted, until that is seen."""
    with tempfile.TemporaryDirectory(prefix="usher-crash-") as folder:
        run = Rounds(given.usher, folder, given.seed, plant)
        seen = (lambda: run.tally.faults[plant] > 0) if plant else (lambda: False)
        count = run.run(rounds, seen, Progress("rounds", run.tally))
    return f"{count} rounds, and {run.killed_starts} kills while starting", run.tally


def cut(given, option, points, until_lost=False):
    """Cuts the power at points of a recorded run; the tally of the run, how many points, and the tally of those."""
    with tempfile.TemporaryDirectory(prefix="usher-crash-") as folder:
        recording, tally = Recording(given.usher, given.library, folder, option, given.seed), Tally()
        recording.run(*((6, 0.25) if given.short else (12, 0.8)))
        seen = (lambda: tally.faults["lost"] > 0) if until_lost else (lambda: False)
        count = recording.cut(recording.points(points), tally, seen, Progress("points", tally))
    tally.acknowledged, tally.in_doubt = recording.world.tally.acknowledged, recording.world.tally.in_doubt
    return recording.world.tally, f"{count} points", tally


def cut_full(given):
    run, points, tally = cut(given, FULL, given.points)
    is_good = not run.failed or conclude("The recorded run", run, False)
    return conclude(f"Power cut, {points}", tally, not tally.failed) and is_good


def cut_normal(given):
    """Without a sync at each commit the last moments are lost, and nothing else. Not to see that is to see nothing."""
    run, points, tally = cut(given, NORMAL, 20 if given.short else 60, until_lost=given.short)
    is_good = not run.failed or conclude("The recorded run", run, False)
    others = [count for kind, count in tally.faults.items() if kind != "lost"]
    title = f"Power cut with synchronous=normal, {points}, where losses have to be seen"
    return conclude(title, tally, tally.faults["lost"] > 0 and not any(others)) and is_good


def planted(given, kind):
    rounds, tally = kill(given, given.rounds, kind)
    return conclude(f"With a planted fault, {rounds}", tally, not tally.failed)


def found(given, kind):
    """Whether a planted fault is reported."""
    rounds, tally = kill(given, 20, kind)
    is_found = tally.faults[kind] > 0
    print(f"Planted \"{Tally.KINDS[kind]}\": {'found' if is_found else 'NOT FOUND'} after {rounds}", flush=True)
    return is_found


def main():
    given = arguments()
    # Threads of clients wait for the service at most half a minute each; this is for what nobody thought of.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Stopped."))
    signal.signal(signal.SIGALRM, lambda *_: sys.exit("It took too long."))
    signal.alarm(600 if given.short else 4 * 3600)
    print(f"Seed {given.seed}", flush=True)
    if given.plant:
        sys.exit(0 if planted(given, given.plant) else 1)
    results = []
    if given.rounds:
        rounds, tally = kill(given, given.rounds)
        results.append(conclude(f"Kill, {rounds}", tally, not tally.failed))
    if given.short:
        results += [found(given, "lost"), found(given, "twice")]
    if given.points:
        results += [cut_full(given), cut_normal(given)]
    print("Nothing acknowledged was lost or done twice." if all(results) else "FAILED", flush=True)
    sys.exit(0 if all(results) else 1)


try:
    main()
except (NotStarted, RecorderFault) as fault:
    sys.exit(str(fault))
