"""The power is cut at many moments of one recorded run, and the service is started on what the disk has then."""
import bisect, os, random, shutil, threading, time

from clients import World
from record import Disk, RecorderFault, append, events
from service import Connection, Lost, NotStarted, Service
from told import Comparison, Tally

# What the two threads that write may have had under way when they were killed.
UNDER_WAY = 4 * 4096


class Recording:
    """A run of the service under load, with every write of its file, and what the clients were told when."""

    def __init__(self, usher, library, folder, option, seed):
        self.usher, self.library, self.option, self.random = usher, library, option, random.Random(seed)
        self.folder = os.path.realpath(folder)
        self.live, self.path = os.path.join(self.folder, "live"), os.path.join(self.folder, "record")
        os.mkdir(self.live)
        open(self.path, "wb").close()
        self.world, self.mirror, self.kinds = World(seed), Disk(), set()
        # Where the first answers were to what was sent again after a crash: the process before wrote what they tell.
        self.first_answers = []
        self.world.position = lambda: os.stat(self.path).st_size

    def run(self, loads, seconds):
        """Some loads on one file, one after the other; in between the service is killed, or stopped now and then."""
        for load in range(loads):
            service = self._start()
            port = service.port()
            self._settle(port)
            threads = self.world.start(port)
            time.sleep(self.random.uniform(0.7, 1.3) * seconds)
            stops = load % 3 == 2
            self.world.end(threads, service, service.stop if stops else service.kill)
            self._reconcile(exactly=stops)
        service = self._start()
        port = service.port()
        self._settle(port)
        comparison = Comparison(Connection(port), self.world.tally)
        for session in self.world.sessions + self.world.ended:
            comparison.check(session)
        service.stop()
        self._reconcile(exactly=True)

    def _settle(self, port):
        # One by one, so that nothing else is written before it is noted when the first of them were answered.
        before = len(self.world.settled)
        self.world.settle(port, one_by_one=True)
        self.first_answers += self.world.settled[before : before + 3]

    def _start(self):
        environment = {"LD_PRELOAD": self.library, "RECORD_FILE": self.path, "RECORD_FOLDER": self.live}
        return Service(self.usher, f"sqlite:{self.live}/sessions{self.option}", environment)

    def _reconcile(self, exactly):
        """Compares the files with the record, and adds to it what was under way when the process was killed."""
        for event in events(self.path, self.mirror.end):
            self.kinds.add((event.name, event.kind))
            self.mirror.take(event)
        if not {(name, kind) for name in ("sessions", "sessions-wal") for kind in "we"} <= self.kinds:
            raise RecorderFault("The recorder saw no writes: it was not loaded, or SQLite calls others.")
        os.truncate(self.path, self.mirror.end)
        there = {name for name in os.listdir(self.live) if not name.endswith("-shm")}
        missed = sum(self._add(name, there) for name in sorted(there | self.mirror.names.keys()))
        if missed > (0 if exactly else UNDER_WAY):
            raise RecorderFault(f"The recorder missed {missed} bytes of what was written.")
        for event in events(self.path, self.mirror.end):
            self.mirror.take(event)

    def _add(self, name, there):
        """Adds what the record lacks of a file; how many bytes that were."""
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
        """Numbers of events: half of them anywhere; of the others some while the file is made, some right after the
        first answers to what was sent again after a crash, and the rest around syncs and acknowledgements.
        """
        ends, syncs = [0], []
        for number, event in enumerate(events(self.path)):
            ends.append(event.end)
            if event.kind == "e":
                syncs.append(number)
        told = [at for session in self.world.sessions + self.world.ended for _, at in session.told.values()]
        told += [session.ended for session in self.world.ended]
        points = self.random.sample(range(40), min(40, count // 5))
        points += [bisect.bisect_left(ends, self.random.choice(self.first_answers or told)) for _ in range(count // 5)]
        points += [self.random.randrange(len(ends)) for _ in range(count // 2)]
        while len(points) < count:
            answer = max(0, bisect.bisect_left(ends, self.random.choice(told)) - 1)
            points.append(self.random.choice((answer, self.random.choice(syncs))) + self.random.randrange(2))
        return sorted((point, ends[point]) for point in points)

    def cut(self, points, tally, until=lambda: False, progress=lambda number: None):
        """Cuts the power at each point, once with nothing that was not synced, and once with any sectors of that."""
        disk, source, taken = Disk(), events(self.path), 0
        for number, (point, position) in enumerate(points, 1):
            while taken < point:
                disk.take(next(source))
                taken += 1
            cuts = [Cut(self, disk, position, f"event {point}", None, tally)]
            cuts.append(Cut(self, disk, position, f"event {point}, torn", self.random, tally))
            for cut in cuts:
                cut.start()
            for cut in cuts:
                cut.join()
            progress(number)
            if until():
                return number
        return len(points)


class Cut(threading.Thread):
    """The service on what is left after a power cut, compared with what was told before."""

    def __init__(self, recording, disk, position, place, random, tally):
        super().__init__()
        self.recording, self.position, self.place, self.tally = recording, position, place, tally
        self.folder = os.path.join(recording.folder, "torn" if random else "cut")
        os.mkdir(self.folder)
        disk.rebuild(self.folder, random)

    def run(self):
        found = Tally()
        service = Service(self.recording.usher, f"sqlite:{self.folder}/sessions{self.recording.option}")
        try:
            connection = Connection(service.port())
            comparison = Comparison(connection, found, self.position)
            for session in self.recording.world.sessions + self.recording.world.ended:
                comparison.check(session)
            connection.close()
        except (Lost, NotStarted, TimeoutError) as error:
            found.fault("unreadable", str(error) or "the service ended")
        finally:
            service.kill()
            shutil.rmtree(self.folder)
        self.tally.add(found, self.place)
