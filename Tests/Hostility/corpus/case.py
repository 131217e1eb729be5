"""One hostile request, or several in a row, as bytes, and what the service makes of them."""
from dataclasses import dataclass, field, replace

# They stand for the ids of two sessions, and are as long. A request names the first in the open, and hides one to the second.
OPEN = b"O" * 22
HIDDEN = b"H" * 22

SMUGGLED = b"POST /v1/sessions/" + HIDDEN + b"/tabs/learn HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n"


@dataclass(frozen=True)
class Case:
    name: str
    data: bytes
    # The status of each response of the service, when it is asked without a proxy in between.
    answers: tuple
    # How often the service acts on each of the two sessions.
    acts: int = 0
    acts_hidden: int = 0
    # Whether the service closes the connection behind the last response, or without one.
    closes: bool = True
    # Those of the above that are different where libmicrohttpd 1.0 or later reads the request.
    since_1_0: dict = field(default_factory=dict)

    def read_by(self, release):
        """The case with what is expected where this release of libmicrohttpd reads the request."""
        return replace(self, **self.since_1_0) if int(release.split(".")[0]) >= 1 else self


def post(*fields, body=b"", line=b"POST /v1/sessions/" + OPEN + b"/tabs/main HTTP/1.1", host=b"Host: a"):
    """A request about the open session with these header lines."""
    lines = [line, *([host] if host else []), *fields]
    return b"".join(text + b"\r\n" for text in lines) + b"\r\n" + body


# Release 1.0 itself answers 400, or closes the connection without an answer.
BY_LIBRARY = {"answers": (400,), "acts": 0, "closes": True}
DROPPED = {"answers": (), "acts": 0, "closes": True}


def refused(name, data, *answers, **others):
    return Case(name, data, answers or (400,), **others)


def length(body):
    return b"Content-Length: %d" % len(body)


def chunks(*pieces, last=b"0\r\n\r\n"):
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + last
