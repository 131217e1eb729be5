"""Request lines with invalid or ambiguous methods, targets and versions (RFC 9112, section 3)."""
from .case import REFUSED_BY_LIBRARY, DROPPED, HIDDEN, OPEN, SMUGGLED, Case, post, refused

PATH = b"/v1/sessions/" + OPEN + b"/tabs/main"
HIDDEN_PATH = b"/v1/sessions/" + HIDDEN + b"/tabs/learn"


def target(text, *fields, method=b"POST", version=b"HTTP/1.1"):
    return post(*fields, line=method + b" " + text + b" " + version)


TARGETS = [
    Case("the absolute form", target(b"http://a" + PATH), (200,), acts=1, closes=False),
    Case("the absolute form of another host", target(b"http://b:1" + PATH), (200,), acts=1, closes=False),
    Case("the absolute form in capitals", target(b"HTTP://a" + PATH), (200,), acts=1, closes=False),
    Case("the absolute form of https", target(b"https://a" + PATH), (200,), acts=1, closes=False),
    Case("the absolute form of another site", target(b"http://evil.example" + PATH), (421,), closes=False),
    refused("the absolute form without a host", target(b"http://" + PATH)),
    refused("the absolute form of ftp", target(b"ftp://a" + PATH)),
    refused("the authority form", target(b"a:80")),
    refused("CONNECT", target(b"a:80", method=b"CONNECT")),
    refused("an asterisk", target(b"*")),
    Case("an asterisk with OPTIONS", target(b"*", method=b"OPTIONS"), (204,), closes=False),
    refused("no slash", target(PATH[1:])),
    refused("no target", post(line=b"POST HTTP/1.1")),
    refused("an empty target", post(line=b"POST  HTTP/1.1")),
    refused("a fragment", target(PATH + b"#x"), 404, closes=False),
    refused("a NUL", target(PATH + b"\x00" + HIDDEN_PATH), since_1_0=DROPPED),
    refused("a tab", target(PATH + b"\tx")),
    refused("a vertical tab", target(PATH + b"\x0bx"), since_1_0=DROPPED),
    Case("a blank", target(PATH + b" x"), (), since_1_0=REFUSED_BY_LIBRARY),
    refused("a letter above ASCII", target(PATH + b"\xe4")),
    refused("an encoded NUL", target(PATH + b"%00"), 404, closes=False),
    refused("an encoded slash", target(PATH.replace(b"/tabs", b"%2Ftabs")), 404, closes=False),
    refused("an escape of no digits", target(PATH + b"%zz"), 400, closes=False),
    refused("an escape that is cut off", target(PATH + b"%4"), 400, closes=False),
    refused("an overlong slash", target(PATH.replace(b"/tabs", b"%c0%aftabs")), 404, closes=False),
    refused(
        "dots that lead to another session", target(PATH + b"/../../../" + HIDDEN + b"/tabs/learn"), 404, closes=False),
    refused("encoded dots", target(PATH + b"/%2e%2e/%2e%2e/%2e%2e/" + HIDDEN + b"/tabs/learn"), 404, closes=False),
    refused("two slashes", target(b"//v1/sessions/" + OPEN + b"/tabs/main"), 404, closes=False),
    refused("a slash at the end", target(PATH + b"/"), 404, closes=False),
    refused("backslashes", target(PATH.replace(b"/", b"\\"))),
    refused("a semicolon", target(PATH + b";x"), 404, closes=False),
    refused("a line end in a target, encoded", target(PATH + b"%0d%0a" + HIDDEN_PATH), 404, closes=False),
    Case("an encoded letter", target(PATH.replace(b"main", b"m%61in")), (200,), acts=1, closes=False),
    refused("an unknown query parameter", target(PATH + b"?x=y"), 400, closes=False),
    refused("a revision twice", target(PATH + b"?revision=1&revision=1"), 400, closes=False),
    refused("a broken escape in the query", target(PATH + b"?revision=%"), 400, closes=False),
]

METHODS = [
    refused("a method in lower case", target(PATH, method=b"post"), 405, closes=False),
    refused("an unknown method", target(PATH, method=b"SMUGGLE"), 405, closes=False),
    refused("TRACE", target(PATH, method=b"TRACE"), 405, closes=False),
    refused("a method that is not a token", target(PATH, method=b"P(ST")),
    refused("a method with a NUL", target(PATH, method=b"PO\x00ST"), since_1_0=DROPPED),
    refused("a method of 10 KB", target(PATH, method=b"P" * 10_000), 405, closes=False),
    Case("a blank before the method", b" " + target(PATH), ()),
    Case("a tab for a blank", post(line=b"POST\t" + PATH + b"\tHTTP/1.1"), ()),
    refused("two blanks behind the method", post(line=b"POST  " + PATH + b" HTTP/1.1")),
    refused("a method to override the method", post(
        b"X-HTTP-Method-Override: POST", line=b"GET " + PATH + b" HTTP/1.1"), 405, closes=False),
    refused(
        "a body on GET", target(PATH, b"Content-Length: %d" % len(SMUGGLED), method=b"GET") + SMUGGLED, 405,
        closes=False),
    refused(
        "a body on HEAD", target(PATH, b"Content-Length: %d" % len(SMUGGLED), method=b"HEAD") + SMUGGLED, 405,
        closes=False),
    refused(
        "a chunked body on DELETE", target(PATH, b"Transfer-Encoding: chunked", method=b"DELETE") + b"0\r\n\r\n", 405),
]

VERSIONS = [
    refused("HTTP/0.9", b"GET " + PATH + b"\r\n"),
    refused("HTTP/0.9 with fields", post(line=b"POST " + PATH)),
    Case("HTTP/1.2", target(PATH, version=b"HTTP/1.2"), (200,), acts=1, closes=False),
    refused("HTTP/2.0", target(PATH, version=b"HTTP/2.0"), 505),
    refused("HTTP/1.01", target(PATH, version=b"HTTP/1.01")),
    refused("HTTP/1", target(PATH, version=b"HTTP/1")),
    refused("HTTP/11", target(PATH, version=b"HTTP/11")),
    refused("http/1.1", target(PATH, version=b"http/1.1")),
    refused("HTTP/1.1 and more", target(PATH, version=b"HTTP/1.1 x")),
    refused("another protocol", target(PATH, version=b"ICAP/1.0")),
    refused("the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + SMUGGLED, 505),
    Case("a TLS client hello", b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03" + b"\x00" * 64 + b"\r\n\r\n", ()),
    Case("zeros", b"\x00" * 64 + b"\r\n\r\n", ()),
    Case("HTTP/1.0", post(line=b"POST " + PATH + b" HTTP/1.0", host=None), (200,), acts=1),
    Case("HTTP/1.0 that is kept", post(
        b"Connection: keep-alive", line=b"POST " + PATH + b" HTTP/1.0", host=None), (200,), acts=1, closes=False),
    Case(
        "HTTP/1.0, and a second request", post(line=b"POST " + PATH + b" HTTP/1.0", host=None) + SMUGGLED, (200,),
        acts=1),
    # The library takes the line for an empty one.
    Case(
        "a line that begins with a NUL before the request", b"\x00GET / HTTP/1.1\r\n" + post(), (200,), acts=1,
        closes=False, since_1_0=DROPPED),
    Case("an empty line before the request", b"\r\n" + post(), (200,), acts=1, closes=False, since_1_0=DROPPED),
]
