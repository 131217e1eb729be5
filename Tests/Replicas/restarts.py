"""Restarts replicas under load, one after another behind nginx and then one that clients reach directly: no request may be lost.
Called by script/check restarts."""
import argparse, asyncio, json, sys, time
from http_client import Connection, Lost
from postgres import Postgres
from processes import Replica, end_on_signals, free_ports, tail
from proxy import Proxy


class Client:
    """Goes from tab to tab of a session of its own, as it is told: with hrefs, and every fifth time without a revision."""

    def __init__(self, port, failures):
        self.connection, self.failures = Connection(port), failures
        self.answered = 0

    async def work(self, is_over):
        while not is_over():
            view = await self.ask("POST", "/v1/sessions", '{"app": "tabs"}')
            for step in range(50):
                if view is None or is_over():
                    break
                tabs = view["navigation"]["tabs"]["items"]
                href = tabs[step % len(tabs)]["href"]
                view = await self.ask("POST", href.partition("?")[0] if step % 5 == 4 else href)
                if view and step % 7 == 0:
                    view = await self.ask("GET", view["links"]["self"])
        self.connection.close()

    async def ask(self, method, target, body=None):
        try:
            answer = await self.connection.ask(method, target, body)
        except Lost as error:
            self.failures.append(f"{method}: no answer ({error.__cause__!r})")
            return None
        if answer.status not in (200, 201):
            self.failures.append(f"{method}: {answer.status} {answer.body[:120].decode()}")
            return None
        self.answered += 1
        return json.loads(answer.body)


class DirectClient(Client):
    """As a careful client without a proxy does: who cannot connect has lost nothing."""

    def __init__(self, port, failures):
        super().__init__(port, failures)
        self.is_refused = False

    async def ask(self, method, target, body=None):
        if self.connection.writer is None or self.connection.reader.at_eof():
            try:
                self.connection.close()
                self.connection.reader, self.connection.writer = await asyncio.open_connection(
                    "127.0.0.1", self.connection.port)
            except OSError:
                self.is_refused = True
                return None
        return await super().ask(method, target, body)


async def rolling(replicas, proxy, clients, rounds):
    """Each replica in its turn is told to stop, and started again once it has."""
    failures, is_over = [], False
    users = [Client(proxy.port, failures) for _ in range(clients)]
    work = asyncio.gather(*(user.work(lambda: is_over) for user in users))
    await asyncio.sleep(1)
    stops = []
    for _ in range(rounds):
        for replica in replicas:
            begin = time.monotonic()
            status = await asyncio.to_thread(replica.stop)
            stops.append(time.monotonic() - begin)
            if status != 0:
                failures.append(f"A replica ended with {status}:\n{tail(replica.log)}")
            replica.start()
            await asyncio.to_thread(replica.wait_until_ready)
            # nginx tries a server that was away again after a second.
            await asyncio.sleep(1.5)
    is_over = True
    await work
    return sum(user.answered for user in users), stops, failures


async def stopping(replica, clients):
    """One replica is told to stop, and clients talk to it directly."""
    failures = []
    users = [DirectClient(replica.port, failures) for _ in range(clients)]
    work = asyncio.gather(*(user.work(lambda: user_is_refused(users)) for user in users))
    await asyncio.sleep(1)
    status = await asyncio.to_thread(replica.stop)
    if status != 0:
        failures.append(f"It ended with {status}:\n{tail(replica.log)}")
    await work
    return sum(user.answered for user in users), failures


def user_is_refused(users):
    return any(user.is_refused for user in users)


def main():
    parser = argparse.ArgumentParser(prog="script/check restarts", description=__doc__)
    parser.add_argument("usher", help="the executable")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--rounds", type=int, default=5, help="in which every replica is restarted")
    chosen = parser.parse_args()
    end_on_signals()
    postgres = Postgres()
    replicas = [Replica(chosen.usher, port, postgres.url) for port in free_ports(3)]
    for replica in replicas:
        replica.start()
    for replica in replicas:
        replica.wait_until_ready()
    proxy = Proxy([replica.port for replica in replicas])

    failed = 0
    answered, stops, failures = asyncio.run(rolling(replicas, proxy, chosen.clients, chosen.rounds))
    failed += len(failures)
    print(
        f"{len(stops)} restarts behind the proxy: {answered} requests answered, {len(failures)} failed; "
        f"stopped in {max(stops):.1f} s at most; sent on to a second replica {proxy.passed_on()[0]}")
    for failure in failures[:10]:
        print(f"  {failure}")
    answered, failures = asyncio.run(stopping(replicas[0], chosen.clients))
    failed += len(failures)
    print(f"one stopped without a proxy: {answered} requests answered, {len(failures)} failed")
    for failure in failures[:10]:
        print(f"  {failure}")
    for replica in replicas[1:]:
        replica.stop()
    proxy.stop()
    postgres.stop()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
