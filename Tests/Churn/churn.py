"""Clients that disconnect at every stage of a request, beside clients that stay. Called by script/check churn."""
import argparse, contextlib, io, os, random, sys, tempfile, time
from departures import Departures
from service import GAUGES, Service, Staying

# Seconds. Half the time after which the service gives up a suspended request by itself.
PATIENCE = 15
# What a run has to report: a client that stays connected to an event stream, and one that sends a request which is refused.
PLANTED = ("gauge", "refusal")


def arguments():
    parser = argparse.ArgumentParser(prog="script/check churn", description=__doc__)
    parser.add_argument("usher")
    parser.add_argument("--seconds", type=float, default=60, help="of churn on each store")
    parser.add_argument("--stores", default="memory,sqlite,postgres")
    parser.add_argument("--sessions", type=int, default=64, help="that the clients use which disconnect")
    parser.add_argument("--staying", type=int, default=4, help="clients that stay")
    parser.add_argument("--growth", type=float, default=8, help="MiB that the process may grow by")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    return parser.parse_args()


def churn(service, departures, seconds):
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        departures.run(min(1, left))
        time.sleep(1)


def settle(service, start):
    """The gauges once they are back at their start, and those that are not in time."""
    end = time.monotonic() + PATIENCE
    while True:
        gauges = service.gauges()
        wrong = [name for name in start if gauges[name] > start[name] or name in GAUGES and gauges[name] < start[name]]
        if not wrong or time.monotonic() > end:
            return gauges, [f"{name} is {gauges[name]} after {PATIENCE} s in the place of {start[name]}." for name in wrong]
        time.sleep(0.2)


def run(chosen, name, store, seconds, planted=None):
    """Whether nothing is wrong."""
    service = Service(chosen.usher, store, chosen.sessions)
    try:
        departures = Departures(service, chosen.seed)
        # What the service keeps for good, such as stacks of threads and memory of its pools, it has from then on.
        churn(service, departures, min(10, seconds))
        start, faults = settle(service, GAUGES)
        resident = service.resident()

        departures.counts = dict.fromkeys(departures.counts, 0)
        staying = [Staying(service, planted == "refusal" and number == 0) for number in range(chosen.staying)]
        churn(service, departures, seconds)
        for client in staying:
            client.end()
        stayed = departures.connect() if planted == "gauge" else None
        if stayed:
            departures.before_events(stayed)
        faults += settle(service, start)[1]
        growth = (service.resident() - resident) / 1024
        if stayed:
            stayed.close()
    finally:
        service.stop()

    answered, others = sum(client.answered for client in staying), [other for client in staying for other in client.others]
    faults += departures.refusals[:5]
    left = sum(departures.counts.values())
    print(f"{name}: {left} clients left ({', '.join(f'{stage} {count}' for stage, count in departures.counts.items())})")
    print(f"  {len(staying)} clients stayed: {answered} requests, {len(others)} of them not answered with 200")
    print(f"  gauges: {', '.join(f'{gauge} {value}' for gauge, value in start.items())}")
    print(f"  memory: {resident / 1024:.1f} MiB, grown by {growth:.1f} MiB, {growth * 1048576 / left:.0f} bytes a client that left")
    if growth > chosen.growth:
        faults.append(f"The process has grown by {growth:.1f} MiB, more than {chosen.growth:g} MiB.")
    for fault in faults + others[:5]:
        print(f"  FAULT: {fault}")
    sys.stdout.flush()
    return not faults and not others and answered > 0


def finds(chosen, planted):
    with contextlib.redirect_stdout(io.StringIO()):
        is_found = not run(chosen, "memory", "memory", 1, planted)
    print(f'Planted "{planted}": {"found" if is_found else "NOT FOUND"}', flush=True)
    return is_found


def main():
    chosen = arguments()
    print(f"seed {chosen.seed}")
    found = [finds(chosen, planted) for planted in PLANTED]
    with tempfile.TemporaryDirectory(prefix="usher-churn-") as folder:
        stores = {"memory": "memory", "sqlite": f"sqlite:{folder}/usher.sqlite", "postgres": os.environ.get("TEST_POSTGRES")}
        results = [run(chosen, name, stores[name], chosen.seconds) for name in chosen.stores.split(",")]
    return 0 if all(found + results) else 1


if __name__ == "__main__":
    sys.exit(main())
