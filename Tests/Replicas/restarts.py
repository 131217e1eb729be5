"""Restarts replicas under load, behind nginx and without a proxy, and fails if a request is lost."""
import argparse, asyncio, json, sys, time
from gauges import leaks
from http_client import Connection, ResponseLost
from postgres import Postgres
from processes import end_on_signals, free_ports, tail
from replica import Replica
from servers import OPTIONS, Proxy


class Client:
    """A client that selects one tab after another in a session of its own. It follows hrefs, every fifth time without
    the revision."""

    def __init__(self, port, failures):
        self.connection, self.failures = Connection(port), failures
        self.answered = 0

    async def work(self, is_over):
        while not is_over():
            view = await self.request("POST", "/v1/sessions", '{"app": "tabs"}')
            for step in range(50):
                if view is None or is_over():
                    break
                tabs = view["navigation"]["tabs"]["items"]
                href = tabs[step % len(tabs)]["href"]
                view = await self.request("POST", href.partition("?")[0] if step % 5 == 4 else href)
                if view and step % 7 == 0:
                    view = await self.request("GET", view["links"]["self"])
        self.connection.close()

    async def request(self, method, target, body=None):
        try:
            response = await self.connection.request(method, target, body)
        except ResponseLost as error:
            self.failures.append(f"{method}: no response ({error.__cause__!r})")
            return None
        if response.status not in (200, 201):
            self.failures.append(f"{method}: {response.status} {response.body[:120].decode()}")
            return None
        self.answered += 1
        return json.loads(response.body)


class DirectClient(Client):
    """A client without a proxy. It checks its connection before each request, and does not count a refused connection
    as a failure."""

    def __init__(self, port, failures):
        super().__init__(port, failures)
        self.is_refused = False

    async def request(self, method, target, body=None):
        if self.connection.writer is None or self.connection.reader.at_eof():
            try:
                self.connection.close()
                self.connection.reader, self.connection.writer = await asyncio.open_connection(
                    "127.0.0.1", self.connection.port)
            except OSError:
                self.is_refused = True
                return None
        return await super().request(method, target, body)


async def restart_all(replicas, proxy, clients, rounds):
    """Stops and starts one replica after another behind the proxy."""
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
                failures.append(f"A replica ended with status {status}:\n{tail(replica.log)}")
            replica.start()
            await asyncio.to_thread(replica.wait_until_ready)
            # nginx uses a server again a second after a failed attempt.
            await asyncio.sleep(1.5)
    is_over = True
    await work
    return sum(user.answered for user in users), stops, failures


async def stop_one(replica, clients):
    """Stops one replica while clients are connected to it directly."""
    failures = []
    users = [DirectClient(replica.port, failures) for _ in range(clients)]
    work = asyncio.gather(*(user.work(lambda: any(user.is_refused for user in users)) for user in users))
    await asyncio.sleep(1)
    status = await asyncio.to_thread(replica.stop)
    if status != 0:
        failures.append(f"The replica ended with status {status}:\n{tail(replica.log)}")
    await work
    return sum(user.answered for user in users), failures


def main():
    parser = argparse.ArgumentParser(prog="script/check restarts")
    parser.add_argument("usher", help="the executable")
    parser.add_argument("--clients", type=int, default=64, help="the number of clients (default: %(default)s)")
    parser.add_argument(
        "--rounds", type=int, default=5, help="the number of restarts of each replica (default: %(default)s)")
    options = parser.parse_args()
    end_on_signals()
    postgres = Postgres()
    replicas = [Replica(options.usher, port, postgres.url, *OPTIONS) for port in free_ports(3)]
    for replica in replicas:
        replica.start()
    for replica in replicas:
        replica.wait_until_ready()
    proxy = Proxy([replica.port for replica in replicas])

    failed = 0
    answered, stops, failures = asyncio.run(restart_all(replicas, proxy, options.clients, options.rounds))
    failed += len(failures)
    print(
        f"{len(stops)} restarts behind the proxy: {answered} requests succeeded, {len(failures)} failed; "
        f"longest stop {max(stops):.1f} s; requests that the proxy sent to a second replica {proxy.retried()[0]}")
    for failure in failures[:10]:
        print(f"  {failure}")
    answered, failures = asyncio.run(stop_one(replicas[0], options.clients))
    failed += len(failures)
    print(f"one stop without a proxy: {answered} requests succeeded, {len(failures)} failed")
    for failure in failures[:10]:
        print(f"  {failure}")
    # The proxy keeps connections to the replicas until it stops.
    proxy.stop()
    leaked = [fault for replica in replicas[1:] for fault in leaks(replica.port)]
    failed += len(leaked)
    for fault in leaked:
        print(f"  {fault}")
    for replica in replicas[1:]:
        replica.stop()
    postgres.stop()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
