"""A hostile case: the bytes of one or several requests, and the expected behaviour of the service."""
from dataclasses import dataclass, field, replace

# Placeholders for the ids of two sessions, with the length of an id. A case requests the first session openly, and
# hides a request to the second.
OPEN = b"O" * 22
HIDDEN = b"H" * 22

SMUGGLED = b"POST /v1/sessions/" + HIDDEN + b"/tabs/learn HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"


@dataclass(frozen=True)
class Case:
    name: str
    data: bytes
    # The status of each response without a proxy.
    statuses: tuple
    # The number of actions on each of the two sessions.
    acts: int = 0
    acts_hidden: int = 0
    # Whether the service closes the connection after the last response, or without a response.
    closes: bool = True
    # The expectations that differ with libmicrohttpd 1.0 and later.
    since_1_0: dict = field(default_factory=dict)

    def for_library(self, version):
        """Returns the case with the expectations for a version of libmicrohttpd."""
        return replace(self, **self.since_1_0) if int(version.split(".")[0]) >= 1 else self


def post(*fields, body=b"", line=b"POST /v1/sessions/" + OPEN + b"/tabs/main HTTP/1.1", host=b"Host: a"):
    """Returns a request to the open session with these header lines."""
    lines = [line, *([host] if host else []), *fields]
    return b"".join(text + b"\r\n" for text in lines) + b"\r\n" + body


# libmicrohttpd 1.0 itself responds with 400, or closes the connection without a response.
REFUSED_BY_LIBRARY = {"statuses": (400,), "acts": 0, "closes": True}
DROPPED = {"statuses": (), "acts": 0, "closes": True}


def refused(name, data, *statuses, **others):
    return Case(name, data, statuses or (400,), **others)


def length(body):
    return b"Content-Length: %d" % len(body)


def chunks(*pieces, last=b"0\r\n\r\n"):
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + last
