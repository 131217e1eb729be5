"""Checks that each effect, its outcome and each signal happen once, whatever dies meanwhile."""
import argparse, contextlib, io, os, random, signal, sqlite3, sys, tempfile, time
from backend import Backend
from buyers import LEAVERS, LIMIT, Buyer, Shared, send
from gauges import IDLE, read_gauges, settle
from parts import run_parts
from postgres import Postgres
from processes import end_on_signals, free_port, free_ports, temporary_folder
from replica import Replica

# Seconds. A replica takes work over after the lease of another one, and a stopped replica sleeps longer than that.
LEASE, SLEEP = 2, 3
# The attempts at opening a payment, of the policy in the app.
ATTEMPTS = 4

STORES = ("sqlite", "postgres")
# Faults that the check must detect: an effect, an awaited signal and a compensation that the store has lost, a payment
# that no client has asked for, an outcome that was applied twice, and attempts at an effect after its cancellation.
SEEDED_FAULTS = ("effect", "signal", "compensation", "payment", "outcome", "attempt")
# Seconds. With a seeded fault a purchase may never end.
SHORT_LIMIT = 12


def parse_arguments():
    parser = argparse.ArgumentParser(prog="script/check effects")
    parser.add_argument("usher", help="the executable")
    parser.add_argument("--short", action="store_true", help="fewer rounds and tickets, and seeded faults")
    parser.add_argument("--rounds", type=int, help="the kills with SQLite (default: 1000, with --short 12)")
    parser.add_argument(
        "--tickets", type=int, help="the tickets with PostgreSQL, of two effects each (default: 100000, with --short 500)")
    parser.add_argument("--clients", type=int, default=16, help="the clients that buy (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="repeats the choices of a run")
    parser.add_argument(
        "--only", choices=(*STORES, *SEEDED_FAULTS),
        help="one store, or a fault that the check must detect; without this option, both stores and with --short all "
        "faults, at the same time")
    options = parser.parse_args()
    if options.rounds is None:
        options.rounds = 12 if options.short else 1000
    if options.tickets is None:
        options.tickets = 500 if options.short else 100_000
    return options


def fail_sometimes(backend, chance):
    """Lets the next requests to the backend fail, or take long."""
    if chance.random() < 0.3:
        backend.fail(**chance.choice([{"count": 2}, {"count": 1, "status": 500}, {"count": 1, "delay": 0.5}]))


def start_backend():
    ledger = os.path.join(temporary_folder("ledger"), "payments.jsonl")
    return Backend("--ledger", ledger, "--quote-seconds", "3600")


def start_service(usher, port, store, backend):
    """Starts the service on a port that it keeps over restarts, because the addresses of signals contain it."""
    service = Replica(
        usher, port, store, "--apps", "checkout", "--history", 1000, "--effect-lease", LEASE, "--log-level", "error",
        backend.option)
    service.start()
    return service


def sleep(service):
    """Stops a process for longer than its leases last."""
    service.server.process.send_signal(signal.SIGSTOP)
    time.sleep(SLEEP)
    service.server.process.send_signal(signal.SIGCONT)


def check_leavers(shared, backend, processes):
    """Compares the payments that clients have left with the ledger and with the requests that the backend received.

    Returns a summary and the faults.
    """
    # An attempt that was in progress has reached the backend by then.
    time.sleep(SLEEP + 1)
    refusals, faults, deadline = backend.refusals(), [], time.monotonic() + shared.limit
    # The backend refuses every attempt, so fewer attempts than the policy permits have led to no outcome.
    unanswered = {quote for quote in shared.left if len(refusals[quote]) < ATTEMPTS}
    while missing := unanswered - set(backend.ledger()["withdrawn"]):
        if time.monotonic() > deadline:
            faults.append(f"{len(missing)} payments that were left before the outcome are not withdrawn.")
            break
        time.sleep(0.1)
    # Each process may have one attempt in progress when the effect is cancelled.
    late = {quote for quote, left in shared.left.items() if sum(at > left for at in refusals[quote]) > processes}
    if late:
        faults.append(f"{len(late)} of {len(shared.left)} payments that were left were attempted again afterwards.")
    return f"{len(shared.left)} payments left, {len(unanswered)} of them certainly before the outcome", faults


def finish(name, shared, buyers, services, backend, kills):
    """Lets the clients finish, and compares their tickets with the ledger. Returns the faults."""
    shared.is_over.set()
    for buyer in buyers:
        buyer.join()
    leavers, faults = check_leavers(shared, backend, len(services))
    faults = shared.faults + faults
    payments = backend.payments()
    delivered = {payment["id"] for payment in payments if payment["delivered"]}
    paid = {payment["id"] for payment in payments if payment["status"] == "paid"}
    if len(set(shared.tickets)) != len(shared.tickets):
        faults.append("Two clients have the same ticket.")
    if missing := set(shared.tickets) - paid:
        faults.append(f"{len(missing)} tickets were not paid.")
    if surplus := {payment["id"] for payment in payments} - set(shared.tickets):
        faults.append(
            f"{len(surplus)} payments of {len(payments)} belong to no ticket. "
            f"The signals of {len(surplus & delivered)} of them were accepted.")
    if not faults:
        for service in services:
            faults += settle(lambda: read_gauges(service.port), IDLE)[1]
    print(f"{name}: {len(shared.tickets)} tickets, {len(payments)} payments, {leavers}, {kills}", flush=True)
    for fault in faults[:5]:
        print(f"  FAULT: {fault}", flush=True)
    return faults


def lose_work(path, what):
    """Deletes a row of pending work in the file of a stopped service. Returns whether there was one."""
    # A signal is due once it arrives, a compensation once its session ends, and the timers of the app much later than its
    # effects.
    condition = {
        "signal": "due_at = 9223372036854775807 AND detached IS NULL",
        "compensation": "detached IS NOT NULL",
        "effect": f"due_at < {(time.time() + 60) * 1000:.0f} AND detached IS NULL",
    }[what]
    with sqlite3.connect(path) as file:
        count = file.execute(
            "DELETE FROM work WHERE (session, id) IN "
            f"(SELECT session, id FROM work WHERE {condition} LIMIT {1000 if what == 'compensation' else 1})").rowcount
    file.close()
    return count > 0


def run_sqlite(options, rounds, seeded_fault=None):
    """Kills the service in many rounds. Returns the faults."""
    chance, backend, is_seeded = random.Random(options.seed), start_backend(), False
    with tempfile.TemporaryDirectory(prefix="usher-effects-") as folder:
        path = os.path.join(folder, "sessions")
        service = start_service(options.usher, free_port(), f"sqlite:{path}", backend)
        shared = Shared([service.port], backend, options.seed, SHORT_LIMIT if seeded_fault else LIMIT)
        shared.repeats_outcome, shared.attempts_again = seeded_fault == "outcome", seeded_fault == "attempt"
        # A lost effect is not a loss to a client that leaves. A lost compensation, and an attempt after a cancellation, concern
        # no other.
        shared.leavers = {"effect": 0, "signal": 0, "compensation": 1, "attempt": 1}.get(seeded_fault, LEAVERS)
        try:
            service.wait_until_ready()
            buyers = [Buyer(shared) for _ in range(options.clients)]
            # A row is not always there to be lost when the service is killed. Some more rounds find one.
            loses_row, count = seeded_fault in ("effect", "signal"), 0
            while count < rounds or loses_row and not is_seeded and count < 20 * rounds:
                count += 1
                time.sleep(chance.uniform(0.1, 0.8))
                fail_sometimes(backend, chance)
                service.kill()
                # Most compensations are never needed, so those of every round are lost.
                if loses_row and not is_seeded or seeded_fault == "compensation":
                    is_seeded = lose_work(path, seeded_fault)
                service.start()
                service.wait_until_ready()
            if seeded_fault == "payment":
                backend.fail(count=0)
                backend.order("another", 1)
            return finish("SQLite", shared, buyers, [service], backend, f"{count} kills")
        finally:
            service.server.end()
            backend.stop()


def run_postgres(options):
    """Kills and stops replicas, and restarts their database, until enough tickets are sold. Returns the faults."""
    chance, backend, postgres = random.Random(options.seed), start_backend(), Postgres()
    services = [start_service(options.usher, port, postgres.url, backend) for port in free_ports(3)]
    shared = Shared([service.port for service in services], backend, options.seed, LIMIT)
    counts = dict.fromkeys(("kills", "sleeps", "restarts of the database"), 0)
    try:
        for service in services:
            service.wait_until_ready()
        buyers = [Buyer(shared) for _ in range(options.clients)]
        while len(shared.tickets) < options.tickets and not shared.faults:
            time.sleep(chance.uniform(0.2, 1.5))
            fail_sometimes(backend, chance)
            kind, service = chance.choice(list(counts)), chance.choice(services)
            counts[kind] += 1
            if kind == "kills":
                service.kill()
                service.start()
            elif kind == "sleeps":
                sleep(service)
            else:
                postgres.restart_immediately()
            for service in services:
                service.wait_until_ready()
        return finish(
            "PostgreSQL", shared, buyers, services, backend,
            ", ".join(f"{count} {kind}" for kind, count in counts.items()))
    finally:
        for service in services:
            service.server.end()
        backend.stop()
        postgres.stop()


def detects(options, fault):
    """Seeds a fault. Returns whether the check detects it."""
    with contextlib.redirect_stdout(io.StringIO()):
        is_detected = bool(run_sqlite(options, 4, fault))
    print(f'Seeded fault "{fault}": {"detected" if is_detected else "NOT DETECTED"}', flush=True)
    return is_detected


def main():
    options = parse_arguments()
    end_on_signals()
    if options.only == "sqlite":
        passed = not run_sqlite(options, options.rounds)
    elif options.only == "postgres":
        passed = not run_postgres(options)
    elif options.only:
        passed = detects(options, options.only)
    else:
        print(f"Seed {options.seed}", flush=True)
        parts = STORES + (SEEDED_FAULTS if options.short else ())
        passed = run_parts(*(("--only", part, "--seed", str(options.seed)) for part in parts))
        print("Each effect, outcome and signal happened once." if passed else "FAILED", flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
