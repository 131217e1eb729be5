"""Requests above the limits, and several requests at once."""
from .case import DROPPED, OPEN, SMUGGLED, Case, length, post, refused

SIZES = [
    refused("a target of 100 KB", post(line=b"GET /" + b"t" * 100_000 + b" HTTP/1.1"), 414),
    refused("a query of 100 KB", post(line=b"GET /?" + b"q" * 100_000 + b" HTTP/1.1"), 414),
    refused("a field of 100 KB", post(b"A: " + b"b" * 100_000), 431),
    refused("a name of 100 KB", post(b"A" * 100_000 + b": b"), 431),
    refused("20,000 fields", post(*[b"A: b"] * 20_000), 431),
    refused("a request line without an end", b"G" * 100_000, 414, since_1_0=DROPPED),
    refused("a smuggled request behind a field of 100 KB", post(b"A: " + b"b" * 100_000 + SMUGGLED), 431),
    refused("a body of 100 KB", post(length(b" " * 100_000), body=b" " * 100_000), 413),
    refused("a body of smuggled requests", post(length(SMUGGLED * 800), body=SMUGGLED * 800), 413),
]

PIPELINES = [
    Case("two requests at once", post() + SMUGGLED, (200, 200), acts=1, acts_hidden=1, closes=False),
    Case("ten requests at once", post() * 10, (200,) * 10, acts=10, closes=False),
    Case(
        "a body, and a second request", post(length(b"{}"), body=b"{}") + SMUGGLED, (200, 200), acts=1, acts_hidden=1,
        closes=False),
    Case("a request in a body", post(length(SMUGGLED), body=SMUGGLED), (400,), closes=False),
    Case("a request in a form", post(
        length(SMUGGLED), b"Content-Type: application/x-www-form-urlencoded", body=SMUGGLED), (400,), closes=False),
    Case(
        "a second request behind a problem", post(line=b"GET /nowhere HTTP/1.1") + post(), (404, 200), acts=1,
        closes=False),
    refused("a second request behind a refusal", post(b"Host: b") + SMUGGLED),
    refused(
        "a second request with a length too many", post() + SMUGGLED.replace(b"Host", b"Content-Length: 0\r\nHost"),
        200, 400, acts=1),
    refused("a second request that is half there", post() + SMUGGLED[:-10], 200, acts=1, closes=False),
    Case(
        "a second request behind the end of a body", post(length(b"{}"), body=b"{}\r\n") + SMUGGLED, (200, 200), acts=1,
        acts_hidden=1, closes=False, since_1_0={"statuses": (200,), "acts_hidden": 0, "closes": True}),
    refused("a length that is too short", post(b"Content-Length: 1", body=b"{}" + SMUGGLED), 400, 400),
    Case("a length that is too long", post(b"Content-Length: 9999", body=SMUGGLED), (), closes=False),
    Case(
        "a request about another host in a field", post(b"X-Original-URL: /v1/sessions/" + OPEN + b"/tabs/learn"),
        (200,), acts=1, closes=False),
]
