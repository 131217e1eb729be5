"""The frame of a stress test: its seeded faults, and its run on each store."""
import contextlib, io, os, tempfile


def run_on_stores(run, options, amount, seeded_faults):
    """Runs a check on each of `options.stores`. Returns the exit status.

    `run(options, name, store, amount, seeded_fault)` prints a report, and returns whether the check passed. It first runs
    with an amount of 1 and each of the seeded faults, which it must detect.
    """
    print(f"Seed {options.seed}")
    detected = [detects(run, options, fault) for fault in seeded_faults]
    with tempfile.TemporaryDirectory(prefix="usher-stress-") as folder:
        stores = {
            "memory": "memory", "sqlite": f"sqlite:{folder}/usher.sqlite", "postgres": os.environ.get("TEST_POSTGRES")}
        results = [run(options, name, stores[name], amount, None) for name in options.stores.split(",")]
    return 0 if all(detected + results) else 1


def detects(run, options, fault):
    """Seeds a fault into a short run in memory. Returns whether the check detects it."""
    with contextlib.redirect_stdout(io.StringIO()):
        is_detected = not run(options, "memory", "memory", 1, fault)
    print(f'Seeded fault "{fault}": {"detected" if is_detected else "NOT DETECTED"}', flush=True)
    return is_detected
