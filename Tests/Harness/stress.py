"""The frame of a stress test: its seeded faults, and its run on each store."""
import contextlib, io, os, random, tempfile
from parts import run_parts
from processes import end_on_signals

STORES = ("memory", "sqlite", "postgres")


def add_options(parser, seeded_faults):
    parser.add_argument(
        "--only", choices=STORES + seeded_faults,
        help="one store, or a fault that the check must detect; without this option, all of them at the same time")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="repeats the choices of a run")


def run_on_stores(run, options, amount, seeded_faults):
    """Runs a check on each store. Returns the exit status.

    `run(options, name, store, amount, seeded_fault)` prints a report, and returns whether the check passed. It also runs
    with an amount of 1 and each of the seeded faults, which it must detect.
    """
    end_on_signals()
    if options.only in seeded_faults:
        passed = detects(run, options, options.only)
    elif options.only:
        with tempfile.TemporaryDirectory(prefix="usher-stress-") as folder:
            stores = {"sqlite": f"sqlite:{folder}/usher.sqlite", "postgres": os.environ.get("TEST_POSTGRES")}
            passed = run(options, options.only, stores.get(options.only, "memory"), amount, None)
    else:
        print(f"Seed {options.seed}", flush=True)
        passed = run_parts(*(("--only", part, "--seed", str(options.seed)) for part in seeded_faults + STORES))
    return 0 if passed else 1


def detects(run, options, fault):
    """Seeds a fault into a short run in memory. Returns whether the check detects it."""
    with contextlib.redirect_stdout(io.StringIO()):
        is_detected = not run(options, "memory", "memory", 1, fault)
    print(f'Seeded fault "{fault}": {"detected" if is_detected else "NOT DETECTED"}', flush=True)
    return is_detected
