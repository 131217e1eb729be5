"""Runs clients against replicas that are killed and a database that is restarted, and checks what came of it. Called by
script/check replicas."""
import argparse, asyncio, collections, os, sys, time
from checker import check
from clients import Run
from faults import Faults
from plants import PLANTS, missed, planted
from postgres import PgBouncer, Postgres
from processes import Replica, end_on_signals, folder, free_ports, tail
from proxy import Proxy


def arguments():
    parser = argparse.ArgumentParser(prog="script/check replicas", description=__doc__)
    parser.add_argument("usher", help="the executable")
    parser.add_argument("--operations", type=int, default=200_000, help="answered requests, at least")
    parser.add_argument("--short", action="store_true", help="10000 operations, one kill, one restart")
    parser.add_argument("--clients", type=int, default=64, help="four for each session that is in use")
    parser.add_argument("--replicas", type=int, default=3)
    parser.add_argument("--store", choices=("postgres", "sqlite", "memory"), default="postgres", help="but postgres: one replica")
    parser.add_argument("--pgbouncer", action="store_true", help="between the replicas and PostgreSQL, in transaction mode")
    parser.add_argument("--kill-every", type=float, default=4, metavar="SECONDS")
    parser.add_argument("--restarts", type=int, default=2, help="of the database")
    parser.add_argument("--harder", action="store_true", help="also lets servers stand still, and leaves the database down for 15 s")
    parser.add_argument("--seconds", type=int, default=900, help="after which a run that hangs ends")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--plant", choices=PLANTS, help="alters what was recorded, which has to fail")
    chosen = parser.parse_args()
    if chosen.short:
        chosen.operations, chosen.restarts = 10_000, 1
    if chosen.store != "postgres":
        chosen.replicas, chosen.restarts = 1, 0
    return chosen


def longest_pause(run):
    """The longest time without an acknowledged action, in seconds: how long a fault was felt by everybody."""
    moments = sorted(operation.answered for operation in run.log if operation.outcome == "done")
    return max((later - earlier for earlier, later in zip(moments, moments[1:])), default=0) / 1e9


def report(run, faults, proxy, histories, seconds):
    outcomes = collections.Counter(operation.outcome for operation in run.log)
    there = {entry.label for entries in histories.values() for entry in entries if entry.label}
    found = [operation for operation in run.log if operation.outcome == "doubt" and operation.label in there]
    repeated = sum(operation.repeats > 0 for operation in run.log)
    said = collections.Counter(status for operation in run.log for status in operation.doubts)
    failures = ", ".join(f"{status or 'connection lost'} {count}" for status, count in sorted(said.items())) or "none"
    passed, good = proxy.passed_on()
    names = ("done", "replayed", "unavailable", "stale", "seen", "wrong")
    for line in (
        f"{run.answered} operations in {seconds:.0f} s ({run.answered / seconds:.0f} a second) on {len(histories)} sessions:",
        "  " + ", ".join(f"{name} {outcomes[name]}" for name in names),
        f"  in doubt {outcomes['doubt']}; known to be done {len(found)}, {sum(503 in o.doubts for o in found)} of them after a 503",
        f"  without an answer: {failures}; {repeated} asked for again until there was one; views {run.lost_views}",
        f"  replicas killed {faults.kills}, database restarted {faults.restarts}, other faults {faults.others}",
        f"  sent to a second replica by the proxy {passed}, {good} of them with success",
        f"  longest time without an acknowledged action {longest_pause(run):.1f} s",
    ):
        print(line)


def main():
    chosen = arguments()
    end_on_signals()
    postgres = Postgres() if chosen.store == "postgres" else None
    pooler = PgBouncer(postgres) if postgres and chosen.pgbouncer else None
    database = pooler or postgres
    stores = {"sqlite": lambda: "sqlite:" + os.path.join(folder("sqlite"), "usher.sqlite"), "memory": lambda: "memory"}
    store = database.url if database else stores[chosen.store]()
    replicas = [Replica(chosen.usher, port, store) for port in free_ports(chosen.replicas)]
    for replica in replicas:
        replica.start()
    for replica in replicas:
        replica.wait_until_ready()
    proxy = Proxy([replica.port for replica in replicas])

    run = Run(proxy.port, chosen.clients, chosen.operations, chosen.seed)
    faults = Faults(chosen, run, replicas, postgres)
    faults.start()
    begin = time.monotonic()
    asyncio.run(run.work(chosen.seconds))
    seconds = time.monotonic() - begin
    faults.stop()
    # What a killed replica had begun is over by now.
    time.sleep(1)
    histories = asyncio.run(run.histories())
    report(run, faults, proxy, histories, seconds)

    problems = []
    if run.without_retry_after:
        problems.append(f"{run.without_retry_after} answers were 503 without Retry-After.")
    if run.answered < chosen.operations:
        problems.append(f"Only {run.answered} of {chosen.operations} operations came to be in {chosen.seconds} s.")
    if faults.restarts < chosen.restarts or chosen.store != "memory" and not faults.kills:
        problems.append("Not every fault came to be.")
    statuses = [replica.stop() for replica in replicas]
    if any(statuses):
        problems.append(f"The replicas ended with {statuses}:\n{tail(replicas[0].log)}")
    proxy.stop()
    for server in (pooler, postgres):
        if server:
            server.stop()

    violations = planted(chosen.plant, run.log, histories) if chosen.plant else check(run.log, histories)
    for violation in violations[:20]:
        print(f"{violation.kind}: session {violation.session}: {violation.sentence}")
    print(f"{len(violations)} violations")
    if not chosen.plant and not violations:
        unseen = missed(run.log, histories)
        print(f"planted errors that are found: {len(PLANTS) - len(unseen)} of {len(PLANTS)}")
        if unseen:
            problems.append(f"The checker misses {', '.join(unseen)}.")
    for problem in problems:
        print(problem)
    sys.exit(1 if violations or problems else 0)


if __name__ == "__main__":
    main()
