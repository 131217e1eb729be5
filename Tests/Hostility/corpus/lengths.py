"""Missing, contradictory and ambiguous lengths of a body (RFC 9112, section 6)."""
from .case import REFUSED_BY_LIBRARY, SMUGGLED, Case, chunks, length, post, refused

CHUNKED = b"Transfer-Encoding: chunked"
# A parser of chunks ends the first request early. For a parser of the length, the second request is the body of the
# first.
EARLY = b"0\r\n\r\n" + SMUGGLED
# The reverse: for a parser of the length, the body consists of one line.
LATE = chunks(SMUGGLED)


def coding(value):
    return post(length(EARLY), value, body=EARLY)


LENGTHS = [
    refused("CL.TE", post(length(EARLY), CHUNKED, body=EARLY)),
    refused("CL.TE, the length last", post(CHUNKED, length(EARLY), body=EARLY)),
    refused("TE.CL", post(b"Content-Length: 4", CHUNKED, body=LATE)),
    refused("TE.CL with a length of 0", post(b"Content-Length: 0", CHUNKED, body=chunks() + SMUGGLED)),
    refused("CL.0", post(b"Content-Length: 0", length(SMUGGLED), body=SMUGGLED)),
    refused("two lengths, the first of them right", post(length(SMUGGLED), b"Content-Length: 0", body=SMUGGLED)),
    refused("two lengths that are the same", post(length(SMUGGLED), length(SMUGGLED), body=SMUGGLED)),
    refused(
        "two lengths with another field between", post(b"Content-Length: 0", b"A: b", length(SMUGGLED), body=SMUGGLED)),
    refused("two lengths in other cases", post(b"content-length: 0", b"CONTENT-LENGTH: 9", body=SMUGGLED)),
    refused("a list of lengths", post(b"Content-Length: 0, 0", body=SMUGGLED)),
    refused("a list of other lengths", post(b"Content-Length: 0, 9", body=SMUGGLED)),
    refused("+0", post(b"Content-Length: +0", body=SMUGGLED)),
    refused("-0", post(b"Content-Length: -0", body=SMUGGLED)),
    refused("-1", post(b"Content-Length: -1", body=SMUGGLED)),
    refused("a length in quotes", post(b'Content-Length: "0"', body=SMUGGLED)),
    refused("a hexadecimal length", post(b"Content-Length: 0x0", body=SMUGGLED)),
    refused("a fraction", post(b"Content-Length: 0.0", body=SMUGGLED)),
    refused("an exponent", post(b"Content-Length: 1e1", body=SMUGGLED)),
    refused("underscores", post(b"Content-Length: 1_0", body=SMUGGLED)),
    refused("digits with a blank between", post(b"Content-Length: 0 0", body=SMUGGLED)),
    refused("a vertical tab behind the length", post(b"Content-Length: 0\x0b", body=SMUGGLED)),
    refused("a no-break space before the length", post(b"Content-Length: \xa00", body=SMUGGLED)),
    refused("digits of another script", post("Content-Length: ٠".encode(), body=SMUGGLED)),
    refused("no length", post(b"Content-Length:", body=SMUGGLED)),
    refused("a blank length", post(b"Content-Length:  \t ", body=SMUGGLED)),
    refused("a length above 64 bits", post(b"Content-Length: 18446744073709551616", body=SMUGGLED), 413),
    refused("a length of 64 bits", post(b"Content-Length: 18446744073709551615", body=SMUGGLED), 413),
    refused("a length of 63 bits", post(b"Content-Length: 9223372036854775807", body=SMUGGLED), 413),
    refused("a length that is 0 in 32 bits", post(b"Content-Length: 4294967296", body=SMUGGLED), 413),
    refused("a length of a thousand digits", post(b"Content-Length: " + b"9" * 1000, body=SMUGGLED), 413),
    Case("zeros before the length", post(b"Content-Length: 0002", body=b"{}"), (200,), acts=1, closes=False),
    Case("blanks before the length", post(b"Content-Length: \t 2", body=b"{}"), (200,), acts=1, closes=False),
    # libmicrohttpd 1.0 strips them (RFC 9110, section 5.5), so the second request is not hidden.
    refused(
        "blanks behind the length", post(b"Content-Length: 0 \t", body=SMUGGLED),
        since_1_0={"statuses": (200, 200), "acts": 1, "acts_hidden": 1, "closes": False}),
    # For a strict parser, these are not Content-Length.
    Case("Content_Length", post(b"Content_Length: 9", body=b""), (200,), acts=1, closes=False),
    Case("Content-Length2", post(b"Content-Length2: 9", body=b""), (200,), acts=1, closes=False),
    refused("a blank before the colon of the length", post(b"Content-Length : 0", body=SMUGGLED)),
]

CODINGS = [
    refused("no chunked", coding(b"Transfer-Encoding: identity")),
    refused("an unknown coding", post(b"Transfer-Encoding: xchunked", body=EARLY), 501, since_1_0=REFUSED_BY_LIBRARY),
    refused(
        "chunked, and something before it", post(b"Transfer-Encoding: gzip, chunked", body=EARLY), 501,
        since_1_0=REFUSED_BY_LIBRARY),
    refused(
        "chunked, and something behind it", post(b"Transfer-Encoding: chunked, identity", body=EARLY), 501,
        since_1_0=REFUSED_BY_LIBRARY),
    refused(
        "chunked twice in one line", post(b"Transfer-Encoding: chunked, chunked", body=EARLY), 501,
        since_1_0=REFUSED_BY_LIBRARY),
    refused("chunked twice", post(CHUNKED, CHUNKED, body=EARLY)),
    refused("chunked, then identity", post(CHUNKED, b"Transfer-Encoding: identity", body=EARLY)),
    refused("chunked in quotes", post(b'Transfer-Encoding: "chunked"', body=EARLY), 501, since_1_0=REFUSED_BY_LIBRARY),
    refused(
        "chunked with a parameter", post(b"Transfer-Encoding: chunked;q=1", body=EARLY), 501,
        since_1_0=REFUSED_BY_LIBRARY),
    refused("an empty coding", post(b"Transfer-Encoding:", body=EARLY), 501, since_1_0=REFUSED_BY_LIBRARY),
    refused(
        "a comma behind chunked", post(b"Transfer-Encoding: chunked,", body=EARLY), 501, since_1_0=REFUSED_BY_LIBRARY),
    refused(
        "a comma before chunked", post(b"Transfer-Encoding: ,chunked", body=EARLY), 501, since_1_0=REFUSED_BY_LIBRARY),
    refused("a vertical tab before chunked", post(b"Transfer-Encoding: \x0bchunked", body=EARLY)),
    refused("a form feed behind chunked", post(b"Transfer-Encoding: chunked\x0c", body=EARLY)),
    refused("a NUL behind chunked", post(b"Transfer-Encoding: chunked\x00", body=EARLY)),
    refused(
        "a no-break space before chunked", post(b"Transfer-Encoding: \xa0chunked", body=EARLY), 501,
        since_1_0=REFUSED_BY_LIBRARY),
    refused("a blank before the colon of the coding", coding(b"Transfer-Encoding : chunked")),
    refused("a tab before the colon of the coding", coding(b"Transfer-Encoding\t: chunked")),
    refused("a blank before the name of the coding", coding(b" Transfer-Encoding: chunked")),
    refused("a NUL in the name of the coding", coding(b"Transfer\x00-Encoding: chunked")),
    refused("a control character before the name of the coding", coding(b"\x01Transfer-Encoding: chunked")),
    refused("a coding on a folded line", coding(b"Transfer-Encoding:\r\n chunked")),
    refused("a coding behind a fold of another field", coding(b"A: b\r\n\tTransfer-Encoding: chunked")),
    refused("a coding behind a bare CR", coding(b"A: b\rTransfer-Encoding: chunked")),
    refused("a coding behind a bare LF", coding(b"A: b\nTransfer-Encoding: chunked")),
    refused("a coding in HTTP/1.0", post(
        CHUNKED, line=b"POST /v1/sessions/OOOOOOOOOOOOOOOOOOOOOO/tabs/main HTTP/1.0", body=EARLY)),
    Case(
        "Transfer_Encoding is not a coding", post(b"Transfer_Encoding: chunked", b"Content-Length: 2", body=b"{}"), (200,),
        acts=1, closes=False),
    Case("chunked in capitals", post(b"TRANSFER-ENCODING: CHUNKED", body=chunks(b"{}")), (200,), acts=1),
    Case("chunked behind blanks", post(b"Transfer-Encoding: \t chunked", body=chunks(b"{}")), (200,), acts=1),
    # As for the blanks after a length.
    refused(
        "blanks behind chunked", post(b"Transfer-Encoding: chunked \t", body=EARLY), 501,
        since_1_0={"statuses": (200, 200), "acts": 1, "acts_hidden": 1, "closes": False}),
]
