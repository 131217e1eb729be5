"""Kills the service under load, and starts it again on the same file, in many rounds."""
import os, random, sqlite3, tempfile, time

from clients import SharedState
from oracle import Comparison, entry_of
from service import Connection, start_service
from usher import NotStarted


class Rounds:
    def __init__(self, usher, folder, seed, seeded_fault=None):
        self.usher, self.file = usher, os.path.join(folder, "sessions")
        self.random, self.state = random.Random(seed), SharedState(seed, seeded_fault=seeded_fault)
        self.tally, self.start_seconds, self.killed_starts = self.state.tally, 0.1, 0

    def run(self, rounds, until=lambda: False, progress=lambda number: None):
        """Runs the rounds and the final comparison. Returns the number of rounds."""
        number = 0
        while number < rounds and not until():
            number += 1
            self._round(number)
            progress(number)
        service = self._start()
        port = service.port
        self._check(port, whole=True)
        self.state.settle(port)
        self._check(port, whole=True)
        if service.stop() != 0:
            self.tally.fault("other", f"the service did not stop cleanly: {service.log()}")
        self._count()
        return number

    def _start(self, file=None):
        return start_service(self.usher, file or self.file)

    def _kill_while_starting(self, file):
        service = self._start(file)
        time.sleep(self.random.uniform(0, 1.2 * self.start_seconds))
        service.kill()
        self.killed_starts += 1

    def _kill_while_creating(self):
        """Kills a process while it creates a file. The next process must start on the incomplete file."""
        with tempfile.TemporaryDirectory(dir=os.path.dirname(self.file)) as folder:
            file = os.path.join(folder, "new")
            self._kill_while_starting(file)
            service = self._start(file)
            try:
                service.port  # Waits until the service is ready.
            except NotStarted as error:
                self.tally.fault("unreadable", str(error))
            else:
                service.kill()

    def _round(self, number):
        while self.random.random() < 0.15:
            self._kill_while_starting(self.file)
        if self.random.random() < 0.1:
            self._kill_while_creating()
        service = self._start()
        port = service.port
        self.start_seconds = service.start_seconds
        self._check(port, whole=number % 10 == 0)
        # In every fourth round the service may be killed again during the retries.
        if number % 4 != 0:
            self.state.settle(port)
            self._check(port, whole=False)
        threads = self.state.start(port)
        time.sleep(self.random.uniform(0.02, 0.4))
        self.state.end(threads, service, service.kill)
        if self.state.seeded_fault == "lost" and self.state.sessions:
            session = self.random.choice(self.state.sessions)
            session.acknowledge(session.last_acknowledged + 1, entry_of("next", {"name": "never sent"}), 0, self.tally)

    def _check(self, port, whole):
        ended = self.state.ended if whole else self.state.ended[-20:]
        connection = Connection(port)
        comparison = Comparison(connection, self.tally)
        for session in self.state.sessions + ended:
            comparison.check(session, whole)
        connection.close()

    def _count(self):
        """Checks the number of sessions in the file, because the API of the service has no list of sessions."""
        with sqlite3.connect(self.file) as connection:
            stored = connection.execute("SELECT count(*) FROM session").fetchone()[0]
        connection.close()
        known = len(self.state.sessions) + len(self.state.ended)
        surplus = stored - known - self.state.orphans
        description = f"{stored} sessions are stored, but {known} were acknowledged"
        if surplus > 0:
            self.tally.fault("repeated", description, surplus)
        elif stored < known:
            self.tally.fault("lost", description, known - stored)
