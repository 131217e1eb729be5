"""Reads the record of recorder.c, and rebuilds the folder as a power cut would have left it."""
import mmap, os, struct
from dataclasses import dataclass

HEADER = struct.Struct("<IIQIIII")
MAGIC = 0x52485355
SECTOR = 512


class RecorderFault(Exception):
    """The record is incomplete or damaged."""


@dataclass
class Event:
    kind: str
    name: str
    offset: int
    thread: int
    payload: bytes
    end: int


def events(path, start=0):
    """Yields the complete events from a position on."""
    size = os.path.getsize(path)
    if size <= start:
        return
    with open(path, "rb") as file, mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) as data:
        while start + HEADER.size <= size:
            magic, kind, offset, thread, name_length, length, _ = HEADER.unpack_from(data, start)
            if magic != MAGIC:
                raise RecorderFault(f"The record has no event at offset {start}.")
            name_end = start + HEADER.size + name_length
            end = name_end + length
            if end > size:
                return
            name = data[start + HEADER.size : name_end].decode()
            yield Event(chr(kind), name, offset, thread, data[name_end:end], end)
            start = end


def append(path, kind, name, offset=0, payload=b""):
    """Adds an event that the recorder did not write, because the process was killed."""
    with open(path, "ab") as file:
        file.write(HEADER.pack(MAGIC, ord(kind), offset, 0, len(name), len(payload), 0) + name.encode() + payload)


class File:
    """A file: its durable content, and the changes since."""

    def __init__(self):
        self.durable, self.changes = bytearray(), []
        # The number of all changes, and the number of durable changes.
        self.made = self.kept = 0

    def change(self, offset, payload):
        """Adds a write, or without a payload a change of the size."""
        self.changes.append((offset, payload))
        self.made += 1

    def sync(self, made):
        """Makes the changes before the start of the sync durable."""
        count = max(0, made - self.kept)
        for offset, payload in self.changes[:count]:
            apply(self.durable, offset, payload)
        del self.changes[:count]
        self.kept += count

    def content(self):
        data = bytearray(self.durable)
        for offset, payload in self.changes:
            apply(data, offset, payload)
        return data

    def torn(self, random):
        """Returns the durable content with arbitrary sectors of the changes since."""
        data, chance = bytearray(self.durable), random.choice((0.1, 0.5, 0.9))
        for offset, payload in self.changes:
            if payload is None:
                if random.random() < chance:
                    apply(data, offset, None)
                continue
            place = 0
            while place < len(payload):
                size = min(SECTOR - (offset + place) % SECTOR, len(payload) - place)
                if random.random() < chance:
                    apply(data, offset + place, payload[place : place + size])
                place += size
        return data


def apply(data, offset, payload):
    end = offset if payload is None else offset + len(payload)
    if len(data) < end:
        data.extend(bytes(end - len(data)))
    if payload is None:
        del data[offset:]
    else:
        data[offset:end] = payload


class Disk:
    """The folder after a number of events, as the process sees it and as the disk keeps it.

    It behaves like a journaling file system. A new file exists durably from the first sync of the file or of the
    folder. An unlinked file is gone durably after the next sync of the folder, or of a file that was created later.
    """

    def __init__(self):
        self.names, self.durable_names = {}, {}
        # The changes of the folder that are not durable: a name, and its file or None.
        self.links = []
        self.links_made = self.links_kept = 0
        self.begun = {}
        self.end = 0

    def take(self, event):
        self.end = event.end
        match event.kind:
            case "o":
                self._open(event)
            case "w":
                self._file(event).change(event.offset, event.payload)
            case "t":
                self._file(event).change(event.offset, None)
            case "b":
                self._begin(event)
            case "e":
                file, made, links = self.begun.pop(event.thread)
                if file is not None:
                    file.sync(made)
                self._keep_links(links)
            case "u":
                self._link(event.name, None)
            case "r":
                file = self._file(event)
                self._link(event.payload.decode(), file)
                self._link(event.name, None)

    def _file(self, event):
        if event.name not in self.names:
            raise RecorderFault(f"The record does not contain the creation of {event.name}.")
        return self.names[event.name]

    def _open(self, event):
        if event.name == ".":
            return
        if event.name not in self.names and event.offset & os.O_CREAT:
            self._link(event.name, File())
        if event.offset & os.O_TRUNC:
            self._file(event).change(0, None)

    def _begin(self, event):
        if event.name == ".":
            self.begun[event.thread] = (None, 0, self.links_made)
            return
        file = self._file(event)
        made = [number for number, (_, linked) in enumerate(self.links, self.links_kept + 1) if linked is file]
        self.begun[event.thread] = (file, file.made, max(made, default=0))

    def _link(self, name, file):
        self.links.append((name, file))
        self.links_made += 1
        _set(self.names, name, file)

    def _keep_links(self, made):
        count = max(0, made - self.links_kept)
        for name, file in self.links[:count]:
            _set(self.durable_names, name, file)
        del self.links[:count]
        self.links_kept += count

    def rebuild(self, folder, random=None):
        """Writes the durable content to a folder; with a source of randomness, also an arbitrary part of the other
        changes."""
        names = dict(self.durable_names)
        for name, file in self.links if random else []:
            if random.random() < 0.5:
                _set(names, name, file)
        for name, file in names.items():
            with open(os.path.join(folder, name), "wb") as copy:
                copy.write(file.torn(random) if random else file.durable)


def _set(names, name, file):
    if file is None:
        names.pop(name, None)
    else:
        names[name] = file
