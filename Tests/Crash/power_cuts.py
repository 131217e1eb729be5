"""Cuts the power at many moments of one recorded run, and starts the service on the content of the disk at that
moment."""
import bisect, os, random, shutil, time
from concurrent.futures import ThreadPoolExecutor

from clients import SharedState
from oracle import Comparison, Tally
from record import Disk, RecorderFault, append, events
from service import Connection, ResponseLost, start_service
from usher import NotStarted

# Bytes that the two writing threads may have had in flight when they were killed.
IN_FLIGHT = 4 * 4096


class Recording:
    """A run of the service under load, with all writes to its file and the positions of all responses."""

    def __init__(self, usher, library, folder, option, seed):
        self.usher, self.library, self.option, self.random = usher, library, option, random.Random(seed)
        self.folder = os.path.realpath(folder)
        self.live, self.path = os.path.join(self.folder, "live"), os.path.join(self.folder, "record")
        os.mkdir(self.live)
        open(self.path, "wb").close()
        self.state, self.mirror, self.kinds = SharedState(seed), Disk(), set()
        # The positions of the first responses to retries after each crash. The process before the crash wrote the state
        # in these responses.
        self.first_responses = []
        self.state.position = lambda: os.stat(self.path).st_size

    def run(self, loads, seconds):
        """Applies loads to one file, one after another. Kills the service after each load, but stops it after every
        third."""
        for load in range(loads):
            service = self._start()
            port = service.port
            self._settle(port)
            threads = self.state.start(port)
            time.sleep(self.random.uniform(0.7, 1.3) * seconds)
            stops = load % 3 == 2
            self.state.end(threads, service, service.stop if stops else service.kill)
            self._reconcile(exactly=stops)
        service = self._start()
        port = service.port
        self._settle(port)
        comparison = Comparison(Connection(port), self.state.tally)
        for session in self.state.sessions + self.state.ended:
            comparison.check(session)
        service.stop()
        self._reconcile(exactly=True)

    def _settle(self, port):
        # Clients retry one by one, so that no other write precedes the positions of the first responses.
        before = len(self.state.settled)
        self.state.settle(port, one_by_one=True)
        self.first_responses += self.state.settled[before : before + 3]

    def _start(self):
        environment = {"LD_PRELOAD": self.library, "RECORD_FILE": self.path, "RECORD_FOLDER": self.live}
        return start_service(self.usher, f"{self.live}/sessions{self.option}", environment)

    def _reconcile(self, exactly):
        """Compares the files with the record, and adds the writes that were in flight when the process was killed."""
        for event in events(self.path, self.mirror.end):
            self.kinds.add((event.name, event.kind))
            self.mirror.take(event)
        if not {(name, kind) for name in ("sessions", "sessions-wal") for kind in "we"} <= self.kinds:
            raise RecorderFault("The recorder saw no writes: it was not loaded, or SQLite calls other functions.")
        os.truncate(self.path, self.mirror.end)
        there = {name for name in os.listdir(self.live) if not name.endswith("-shm")}
        missed = sum(self._add(name, there) for name in sorted(there | self.mirror.names.keys()))
        if missed > (0 if exactly else IN_FLIGHT):
            raise RecorderFault(f"The recorder missed {missed} written bytes.")
        for event in events(self.path, self.mirror.end):
            self.mirror.take(event)

    def _add(self, name, there):
        """Adds the missing changes of a file to the record, and returns their size in bytes."""
        if name not in there:
            append(self.path, "u", name)
            return 1
        with open(os.path.join(self.live, name), "rb") as file:
            actual = file.read()
        missed, known = 0, b""
        if name in self.mirror.names:
            known = self.mirror.names[name].content()
        else:
            append(self.path, "o", name, os.O_CREAT)
            missed += 1
        if known == actual:
            return missed
        for offset in range(0, len(actual), 4096):
            part = actual[offset : offset + 4096]
            if part != known[offset : offset + 4096]:
                append(self.path, "w", name, offset, part)
                missed += len(part)
        if len(known) > len(actual):
            append(self.path, "t", name, len(actual))
            missed += 1
        return missed

    def points(self, count):
        """Returns numbers of events with their positions.

        Half of the events are arbitrary. Some of the others belong to the creation of the file, some follow the first
        responses to retries after a crash, and the rest is near syncs and responses.
        """
        ends, syncs = [0], []
        for number, event in enumerate(events(self.path)):
            ends.append(event.end)
            if event.kind == "e":
                syncs.append(number)
        responses = [
            at for session in self.state.sessions + self.state.ended for _, at in session.acknowledged.values()]
        responses += [session.ended for session in self.state.ended]
        points = self.random.sample(range(40), min(40, count // 5))
        points += [
            bisect.bisect_left(ends, self.random.choice(self.first_responses or responses)) for _ in range(count // 5)]
        points += [self.random.randrange(len(ends)) for _ in range(count // 2)]
        while len(points) < count:
            response = max(0, bisect.bisect_left(ends, self.random.choice(responses)) - 1)
            points.append(self.random.choice((response, self.random.choice(syncs))) + self.random.randrange(2))
        return sorted((point, ends[point]) for point in points)

    def cut(self, points, tally, until=lambda: False, progress=lambda number: None):
        """Cuts the power at each point: once without all unsynced writes, and once with arbitrary sectors of them."""
        disk, source, taken = Disk(), events(self.path), 0
        for number, (point, position) in enumerate(points, 1):
            while taken < point:
                disk.take(next(source))
                taken += 1
            cuts = [Cut(self, disk, position, f"event {point}", None, tally)]
            cuts.append(Cut(self, disk, position, f"event {point}, torn", self.random, tally))
            with ThreadPoolExecutor(len(cuts)) as pool:
                list(pool.map(Cut.run, cuts))
            progress(number)
            if until():
                return number
        return len(points)


class Cut:
    """A start of the service after one power cut, and its comparison with the responses before the cut."""

    def __init__(self, recording, disk, position, place, random, tally):
        self.recording, self.position, self.place, self.tally = recording, position, place, tally
        self.folder = os.path.join(recording.folder, "torn" if random else "cut")
        os.mkdir(self.folder)
        disk.rebuild(self.folder, random)

    def run(self):
        found = Tally()
        service = start_service(self.recording.usher, f"{self.folder}/sessions{self.recording.option}")
        try:
            connection = Connection(service.port)
            comparison = Comparison(connection, found, self.position)
            for session in self.recording.state.sessions + self.recording.state.ended:
                comparison.check(session)
            connection.close()
        except (ResponseLost, NotStarted, TimeoutError) as error:
            found.fault("unreadable", str(error) or "the service ended unexpectedly")
        finally:
            service.kill()
            shutil.rmtree(self.folder)
        self.tally.add(found, self.place)
