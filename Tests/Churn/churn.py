"""Disconnects clients at every stage of a request, and looks for leaks."""
import argparse, sys, time
from clients import DisconnectingClients, StayingClient
from gauges import IDLE, read_gauges, settle
from stress import add_options, run_on_stores
from usher import Client, Service

# Faults that the check must detect: a client that stays connected to an event stream, and a refused request.
SEEDED_FAULTS = ("gauge", "refusal")


def parse_arguments():
    parser = argparse.ArgumentParser(prog="script/check churn")
    parser.add_argument("usher", help="the executable")
    parser.add_argument("--seconds", type=float, default=60, help="the duration on each store (default: %(default)s)")
    parser.add_argument(
        "--sessions", type=int, default=64, help="the sessions of the disconnecting clients (default: %(default)s)")
    parser.add_argument("--staying", type=int, default=4, help="the number of staying clients (default: %(default)s)")
    parser.add_argument(
        "--growth", type=float, default=8, help="the permitted growth of the process in MiB (default: %(default)s)")
    add_options(parser, SEEDED_FAULTS)
    return parser.parse_args()


class MeasuredService(Service):
    """The service on one store, its gauges, and the sessions of the disconnecting clients."""

    def __init__(self, usher, store, session_count):
        # All clients have the same address, so one limit of event streams applies to all of them.
        super().__init__(
            "--apps", "pages,shop,gallery", "--log-level", "warning", "--max-streams-per-client", "3072",
            store=store, executable=usher)
        client = Client(self.port)
        self.sessions = [client.create_session("shop") for _ in range(session_count)]
        self.working_sessions = [client.create_session("gallery") for _ in range(session_count)]
        client.close()

    def gauges(self):
        return read_gauges(self.port, "process_open_fds") | {"threads": self.thread_count()}


def churn(service, disconnecting, seconds):
    """Runs waves of a second, with a second of silence after each."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        disconnecting.run_wave(min(1, left))
        time.sleep(1)


def run(options, name, store, seconds, seeded_fault):
    """Runs the check on one store. Returns whether it passed."""
    service = MeasuredService(options.usher, store, options.sessions)
    try:
        disconnecting = DisconnectingClients(service, options.seed)
        # Warms up, so that the service has the threads and the pools that it keeps.
        churn(service, disconnecting, min(10, seconds))
        start, faults = settle(service.gauges, IDLE)
        resident = service.resident_kibibytes()

        disconnecting.counts = dict.fromkeys(disconnecting.counts, 0)
        staying = [
            StayingClient(service, seeded_fault == "refusal" and number == 0) for number in range(options.staying)]
        churn(service, disconnecting, seconds)
        for client in staying:
            client.end()
        leaked = disconnecting.connect() if seeded_fault == "gauge" else None
        if leaked:
            disconnecting.before_events(leaked)
        faults += settle(service.gauges, start)[1]
        growth = (service.resident_kibibytes() - resident) / 1024
        if leaked:
            leaked.close()
    finally:
        service.stop()

    responses = sum(client.responses for client in staying)
    failures = [text for client in staying for text in client.failures]
    faults += disconnecting.failures[:5]
    disconnected = sum(disconnecting.counts.values())
    stages = ", ".join(f"{stage} {count}" for stage, count in disconnecting.counts.items())
    print(f"{name}: {disconnected} clients disconnected ({stages})")
    print(f"  {len(staying)} clients stayed: {responses} responses, {len(failures)} of them other than 200")
    print(f"  gauges: {', '.join(f'{gauge} {value}' for gauge, value in start.items())}")
    print(
        f"  memory: {resident / 1024:.1f} MiB, growth {growth:.1f} MiB, "
        f"{growth * 1048576 / disconnected:.0f} bytes a disconnected client")
    if growth > options.growth:
        faults.append(f"The process has grown by {growth:.1f} MiB, more than {options.growth:g} MiB.")
    for fault in faults + failures[:5]:
        print(f"  FAULT: {fault}")
    sys.stdout.flush()
    return not faults and not failures and responses > 0


if __name__ == "__main__":
    options = parse_arguments()
    sys.exit(run_on_stores(run, options, options.seconds, SEEDED_FAULTS))
