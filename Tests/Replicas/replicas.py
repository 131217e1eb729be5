"""Kills replicas and restarts their database while clients act, and checks the responses against the histories."""
import argparse, asyncio, collections, os, sys, time
from checker import check
from clients import Run
from fault_injection import FaultInjector
from gauges import leaks
from postgres import PgBouncer, Postgres
from processes import end_on_signals, free_ports, tail, temporary_folder
from seeded_faults import SEEDED_FAULTS, undetected, violations_with_fault
from replica import Replica
from servers import OPTIONS, Proxy


def parse_arguments():
    parser = argparse.ArgumentParser(prog="script/check replicas")
    parser.add_argument("usher", help="the executable")
    parser.add_argument(
        "--operations", type=int, default=200_000, help="the number of requests with a response (default: %(default)s)")
    parser.add_argument("--short", action="store_true", help="10,000 operations, one kill, one restart of the database")
    parser.add_argument(
        "--clients", type=int, default=64, help="the number of clients, four a session (default: %(default)s)")
    parser.add_argument("--replicas", type=int, default=3, help="the number of replicas (default: %(default)s)")
    parser.add_argument(
        "--store", choices=("postgres", "sqlite", "memory"), default="postgres",
        help="the store (default: %(default)s); all but postgres run one replica")
    parser.add_argument("--pgbouncer", action="store_true", help="puts PgBouncer in transaction mode before PostgreSQL")
    parser.add_argument(
        "--kill-every", type=float, default=4, metavar="SECONDS", help="the interval of kills (default: %(default)s)")
    parser.add_argument(
        "--restarts", type=int, default=2, help="the number of restarts of the database (default: %(default)s)")
    parser.add_argument("--harder", action="store_true", help="also suspends servers, and stops the database for 15 s")
    parser.add_argument("--seconds", type=int, default=900, help="the timeout of the run (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="seeds the choices of the clients (default: %(default)s)")
    parser.add_argument(
        "--seed-fault", choices=SEEDED_FAULTS, help="seeds a fault into the recorded run, so that the check fails")
    options = parser.parse_args()
    if options.short:
        options.operations, options.restarts = 10_000, 1
    if options.store != "postgres":
        options.replicas, options.restarts = 1, 0
    return options


def longest_outage(run):
    """Returns the longest time without an acknowledged action, in seconds: the duration of the worst outage."""
    moments = sorted(operation.answered for operation in run.log if operation.outcome == "done")
    return max((later - earlier for earlier, later in zip(moments, moments[1:])), default=0) / 1e9


def report(run, faults, proxy, histories, seconds):
    outcomes = collections.Counter(operation.outcome for operation in run.log)
    labels = {entry.label for entries in histories.values() for entry in entries if entry.label}
    effective = [operation for operation in run.log if operation.outcome == "unknown" and operation.label in labels]
    retried = sum(operation.retries > 0 for operation in run.log)
    statuses = collections.Counter(status for operation in run.log for status in operation.failures)
    failures = ", ".join(
        f"{status or 'connection lost'} {count}" for status, count in sorted(statuses.items())) or "none"
    second_attempts, successes = proxy.retried()
    names = ("done", "replayed", "unavailable", "stale", "seen", "invalid")
    for line in (
        f"{run.answered} operations in {seconds:.0f} s ({run.answered / seconds:.0f} a second)"
        f" on {len(histories)} sessions:",
        "  " + ", ".join(f"{name} {outcomes[name]}" for name in names),
        f"  unknown {outcomes['unknown']}; {len(effective)} of them took effect,"
        f" {sum(503 in o.failures for o in effective)} after a 503",
        f"  failed attempts: {failures}; operations retried {retried}; views lost {run.lost_views}",
        f"  replicas killed {faults.kills}, database restarted {faults.restarts}, other faults {faults.others}",
        f"  requests that the proxy sent to a second replica {second_attempts}, {successes} of them successful",
        f"  longest time without an acknowledged action {longest_outage(run):.1f} s",
    ):
        print(line)


def main():
    options = parse_arguments()
    end_on_signals()
    postgres = Postgres() if options.store == "postgres" else None
    pooler = PgBouncer(postgres) if postgres and options.pgbouncer else None
    database = pooler or postgres
    stores = {
        "sqlite": lambda: "sqlite:" + os.path.join(temporary_folder("sqlite"), "usher.sqlite"),
        "memory": lambda: "memory"}
    store = database.url if database else stores[options.store]()
    replicas = [Replica(options.usher, port, store, *OPTIONS) for port in free_ports(options.replicas)]
    for replica in replicas:
        replica.start()
    for replica in replicas:
        replica.wait_until_ready()
    proxy = Proxy([replica.port for replica in replicas])

    run = Run(proxy.port, options.clients, options.operations, options.seed)
    faults = FaultInjector(options, run, replicas, postgres)
    run.faults_are_injected = lambda: faults.is_complete
    faults.start()
    begin = time.monotonic()
    asyncio.run(run.work(options.seconds))
    seconds = time.monotonic() - begin
    faults.stop()
    # Gives the database time to end the transactions of killed replicas.
    time.sleep(1)
    histories = asyncio.run(run.histories())
    report(run, faults, proxy, histories, seconds)

    problems = []
    if run.without_retry_after:
        problems.append(f"{run.without_retry_after} responses had the status 503 and no Retry-After.")
    if run.answered < options.operations:
        problems.append(
            f"Only {run.answered} of {options.operations} operations were answered within {options.seconds} s.")
    if not faults.is_complete:
        problems.append("Some faults were not injected.")
    # The proxy keeps connections to the replicas until it stops.
    proxy.stop()
    problems += [problem for replica in replicas for problem in leaks(replica.port)]
    statuses = [replica.stop() for replica in replicas]
    if any(statuses):
        problems.append(f"The replicas ended with the statuses {statuses}:\n{tail(replicas[0].log)}")
    for server in (pooler, postgres):
        if server:
            server.stop()

    if options.seed_fault:
        violations = violations_with_fault(options.seed_fault, run.log, histories)
    else:
        violations = check(run.log, histories)
    for violation in violations[:20]:
        print(f"{violation.kind}: session {violation.session}: {violation.message}")
    print(f"{len(violations)} violations")
    if not options.seed_fault and not violations:
        missed = undetected(run.log, histories)
        print(f"{len(SEEDED_FAULTS) - len(missed)} of {len(SEEDED_FAULTS)} seeded faults detected")
        if missed:
            problems.append(f"The checker does not detect {', '.join(missed)}.")
    for problem in problems:
        print(problem)
    sys.exit(1 if violations or problems else 0)


if __name__ == "__main__":
    main()
