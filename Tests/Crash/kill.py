"""The service is killed under load and started again on the same file, round after round."""
import os, random, sqlite3, tempfile, time

from clients import World
from service import Connection, NotStarted, Service
from told import Comparison, entry_of


class Rounds:
    def __init__(self, usher, folder, seed, plant=None):
        self.usher, self.file = usher, os.path.join(folder, "sessions")
        self.random, self.world = random.Random(seed), World(seed, plant=plant)
        self.tally, self.start_time, self.killed_starts = self.world.tally, 0.1, 0

    def run(self, rounds, until=lambda: False, progress=lambda number: None):
        """Runs the rounds and what proves them; returns how many there were."""
        number = 0
        while number < rounds and not until():
            number += 1
            self._round(number)
            progress(number)
        service = self._start()
        port = service.port()
        self._check(port, whole=True)
        self.world.settle(port)
        self._check(port, whole=True)
        if not service.stop():
            self.tally.fault("other", f"the service did not stop properly: {service.said()}")
        self._count()
        return number

    def _start(self):
        return Service(self.usher, f"sqlite:{self.file}")

    def _kill_while_starting(self, file):
        service = Service(self.usher, f"sqlite:{file}")
        time.sleep(self.random.uniform(0, 1.2 * self.start_time))
        service.kill()
        self.killed_starts += 1

    def _begin_anew(self):
        """A process that is killed while it makes the file leaves nothing that stands in the way of the next."""
        with tempfile.TemporaryDirectory(dir=os.path.dirname(self.file)) as folder:
            file = os.path.join(folder, "new")
            self._kill_while_starting(file)
            service = Service(self.usher, f"sqlite:{file}")
            try:
                service.port()
            except NotStarted as error:
                self.tally.fault("unreadable", str(error))
            else:
                service.kill()

    def _round(self, number):
        while self.random.random() < 0.15:
            self._kill_while_starting(self.file)
        if self.random.random() < 0.1:
            self._begin_anew()
        service = self._start()
        port = service.port()
        self.start_time = service.start_time
        self._check(port, whole=number % 10 == 0)
        # In the other rounds the service may be killed again while what is in doubt is sent again.
        if number % 4 != 0:
            self.world.settle(port)
            self._check(port, whole=False)
        threads = self.world.start(port)
        time.sleep(self.random.uniform(0.02, 0.4))
        self.world.end(threads, service, service.kill)
        if self.world.plant == "lost" and self.world.sessions:
            session = self.random.choice(self.world.sessions)
            session.tell(session.last_told + 1, entry_of("next", {"name": "never sent"}), 0, self.tally)

    def _check(self, port, whole):
        ended = self.world.ended if whole else self.world.ended[-20:]
        connection = Connection(port)
        comparison = Comparison(connection, self.tally)
        for session in self.world.sessions + ended:
            comparison.check(session, whole)
        connection.close()

    def _count(self):
        """No session is there that nobody asked for. The service lists none, so they are counted in its file."""
        with sqlite3.connect(self.file) as connection:
            stored = connection.execute("SELECT count(*) FROM session").fetchone()[0]
        connection.close()
        known = len(self.world.sessions) + len(self.world.ended)
        words, surplus = f"{stored} sessions are stored, {known} were told", stored - known - self.world.orphans
        if surplus > 0:
            self.tally.fault("twice", words, surplus)
        elif stored < known:
            self.tally.fault("lost", words, known - stored)
