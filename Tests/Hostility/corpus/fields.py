"""Header fields that parsers mistake for others, or overlook (RFC 9112, sections 2.2 and 5)."""
from .case import REFUSED_BY_LIBRARY, HIDDEN, SMUGGLED, Case, length, post, refused

FIELDS = [
    refused("a folded value", post(b"A: b\r\n c")),
    refused("a value folded by a tab", post(b"A: b\r\n\tc")),
    refused("a folded value in the last line", post(host=None, line=post(b"A: b")[:-4] + b"\r\n c")),
    refused("a blank before the first field", post(host=b" Host: a")),
    refused("a blank before a field", post(b" Content-Length: %d" % len(SMUGGLED), body=SMUGGLED)),
    refused("a length on a folded line", post(b"Content-Length:\r\n %d" % len(SMUGGLED), body=SMUGGLED)),
    refused("a blank before the colon", post(b"A : b")),
    refused("a tab before the colon", post(b"A\t: b")),
    refused("a blank in a name", post(b"A B: c")),
    refused("no name", post(b": a")),
    refused("no colon", post(b"a")),
    refused("no colon in the length", post(b"Content-Length 9", body=SMUGGLED)),
    refused("a NUL in a name", post(b"A\x00B: c")),
    refused("a NUL in a value", post(b"A: b\x00c")),
    refused("a NUL behind the length", post(b"Content-Length: 0\x00%d" % len(SMUGGLED), body=SMUGGLED)),
    refused("a control character in a value", post(b"A: b\x01c")),
    refused("a DEL in a value", post(b"A: b\x7f")),
    refused("a letter above ASCII in a name", post("Ä: b".encode())),
    refused("a bare CR in a value", post(b"A: b\rC: d")),
    refused("a bare CR before a length", post(b"A: b\rContent-Length: %d" % len(SMUGGLED), body=SMUGGLED)),
    refused("a bare LF between fields", post(b"A: b\nC: d")),
    refused("a bare LF before a length", post(b"A: b\nContent-Length: %d" % len(SMUGGLED), body=SMUGGLED)),
    refused("an empty line of LF only", post(b"A: b\n\n" + SMUGGLED)),
    refused("CR CR LF between fields", post(b"A: b\r\r\nC: d")),
    refused("LF CR between fields", post(b"A: b\n\rC: d")),
    refused("all lines end in LF", post().replace(b"\r\n", b"\n")),
    Case("all lines end in CR", post().replace(b"\r\n", b"\r"), (), closes=False, since_1_0=REFUSED_BY_LIBRARY),
    refused("no empty line, but LF", post()[:-2] + b"\n"),
    # The library overwrites CR LF and the colon with zeros, so the service cannot distinguish these from CR LF.
    Case(
        "a NUL and a bare LF between fields", post(b"A: b\x00\nC: d"), (200,), acts=1, closes=False,
        since_1_0=REFUSED_BY_LIBRARY),
    Case(
        "a colon and a bare LF for the empty line", post()[:-2] + b":\n", (200,), acts=1, closes=False,
        since_1_0=REFUSED_BY_LIBRARY),
    Case("a letter above ASCII in a value", post(b"A: \xe4"), (200,), acts=1, closes=False),
    Case("a thousand empty values", post(*[b"A:"] * 100), (200,), acts=1, closes=False),
]

HOSTS = [
    refused("no Host", post(host=None)),
    refused("two Hosts", post(b"Host: b")),
    refused("two Hosts in other cases", post(b"HOST: a")),
    refused("a Host with a blank before its colon", post(host=b"Host : a")),
    refused("a Host on a folded line", post(host=b"Host:\r\n a")),
    refused("a second Host behind a bare LF", post(b"A: b\nHost: b")),
    Case("an empty Host", post(host=b"Host:"), (200,), acts=1, closes=False),
    Case("another Host", post(host=b"Host: 127.0.0.1:1"), (200,), acts=1, closes=False),
    Case("a request in a Host", post(host=b"Host: a/v1/sessions/" + HIDDEN + b"/tabs/learn?"), (421,), closes=False),
    Case("the Host of another site", post(host=b"Host: evil.example"), (421,), closes=False),
    Case(
        "the Host of another site behind an address", post(host=b"Host: 127.0.0.1@evil.example"), (421,), closes=False),
]

CONNECTION = [
    Case("close", post(b"Connection: close", body=SMUGGLED), (200,), acts=1),
    Case("close among others", post(b"Connection: x, Close", body=SMUGGLED), (200,), acts=1),
    Case("keep-alive and close", post(b"Connection: keep-alive", b"Connection: close", body=SMUGGLED), (200,), acts=1),
    Case(
        "a length that Connection names", post(length(b"{}"), b"Connection: Content-Length", body=b"{}"), (200,),
        acts=1, closes=False),
    refused("a coding that Connection names", post(
        b"Content-Length: 4", b"Transfer-Encoding: chunked", b"Connection: Transfer-Encoding",
        body=b"0\r\n\r\n" + SMUGGLED)),
    Case("an upgrade to HTTP/2", post(
        b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAABkAAQAAP__"), (200,), acts=1,
        closes=False),
    Case("an upgrade to WebSocket", post(
        b"Connection: Upgrade", b"Upgrade: websocket", b"Sec-WebSocket-Version: 13",
        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="), (200,), acts=1, closes=False),
]

EXPECT = [
    Case("100-continue", post(length(b"{}"), b"Expect: 100-continue", body=b"{}"), (200,), acts=1, closes=False),
    Case(
        "100-continue in capitals", post(length(b"{}"), b"EXPECT: 100-CONTINUE", body=b"{}"), (200,), acts=1,
        closes=False),
    Case("100-continue without a body", post(b"Expect: 100-continue"), (200,), acts=1, closes=False),
    Case("100-continue twice", post(
        length(b"{}"), b"Expect: 100-continue", b"Expect: 100-continue", body=b"{}"), (200,), acts=1, closes=False),
    Case("an unknown expectation", post(length(b"{}"), b"Expect: x", body=b"{}"), (200,), acts=1, closes=False),
    refused("100-continue with a smuggled request", post(
        b"Content-Length: 4", b"Transfer-Encoding: chunked", b"Expect: 100-continue", body=b"0\r\n\r\n" + SMUGGLED)),
    refused("100-continue with a body above the limit", post(
        b"Content-Length: 99999", b"Expect: 100-continue", body=SMUGGLED), 413),
]
