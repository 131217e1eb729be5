"""Chunks with sizes, ends or extensions that parsers interpret differently (RFC 9112, section 7.1)."""
from .case import REFUSED_BY_LIBRARY, SMUGGLED, Case, chunks, post, refused


def chunked(body):
    return post(b"Transfer-Encoding: chunked", body=body)


# However a parser reads these bodies, the smuggled request is part of the body, or follows a broken one.
CHUNKS = [
    refused("a size of no digits", chunked(b"\r\n{}\r\n0\r\n\r\n" + SMUGGLED)),
    refused("a size that is not a number", chunked(b"zz\r\n{}\r\n0\r\n\r\n" + SMUGGLED)),
    refused("a negative size", chunked(b"-1\r\n{}\r\n0\r\n\r\n" + SMUGGLED)),
    refused("a size with a sign", chunked(b"+2\r\n{}\r\n0\r\n\r\n" + SMUGGLED)),
    refused("a size with a prefix", chunked(b"0x2\r\n{}\r\n0\r\n\r\n" + SMUGGLED)),
    refused("a size with a blank before it", chunked(b" 2\r\n{}\r\n0\r\n\r\n" + SMUGGLED)),
    refused("a size with an underscore", chunked(b"0_2\r\n{}\r\n0\r\n\r\n" + SMUGGLED)),
    refused("a size above 64 bits", chunked(b"10000000000000002\r\n{}\r\n0\r\n\r\n" + SMUGGLED), 413),
    Case("a size of 64 bits", chunked(b"ffffffffffffffff\r\n{}\r\n0\r\n\r\n" + SMUGGLED), (), closes=False),
    refused("a size of a thousand digits", chunked(b"f" * 1000 + b"\r\n{}\r\n0\r\n\r\n" + SMUGGLED), 413),
    refused("a chunk that is longer than its size", chunked(b"1\r\n{}\r\n0\r\n\r\n" + SMUGGLED)),
    refused("a chunk without its end", chunked(b"2\r\n{}0\r\n\r\n" + SMUGGLED)),
    refused("a chunk that ends with something else", chunked(b"2\r\n{}XX0\r\n\r\n" + SMUGGLED)),
    refused("a NUL behind the size", chunked(b"2\x00\r\n{}\r\n0\r\n\r\n" + SMUGGLED)),
    refused("a bare CR behind the size", chunked(b"2\r{}\r\n0\r\n\r\n" + SMUGGLED)),
    # libmicrohttpd 1.0 takes the line feed after an extension for the first byte of the chunk, and then misses its end.
    Case(
        "an extension", chunked(b"2;a=b\r\n{}\r\n0;c\r\n\r\n"), (200,), acts=1,
        since_1_0=REFUSED_BY_LIBRARY),
    Case(
        "an extension in quotes", chunked(b'2;a="b;c"\r\n{}\r\n0\r\n\r\n'), (200,), acts=1,
        since_1_0=REFUSED_BY_LIBRARY),
    Case("zeros before the size", chunked(b"00000002\r\n{}\r\n000\r\n\r\n"), (200,), acts=1),
    Case("chunks of one byte", chunked(chunks(b"{", b"}")), (200,), acts=1),
    Case("a trailer", chunked(b"2\r\n{}\r\n0\r\nA: b\r\n\r\n"), (200,), acts=1),
    Case("a length in the trailer", chunked(
        b"2\r\n{}\r\n0\r\nContent-Length: %d\r\n\r\n" % len(SMUGGLED)), (200,), acts=1),
    Case("a coding in the trailer", chunked(b"2\r\n{}\r\n0\r\nTransfer-Encoding: chunked\r\n\r\n"), (200,), acts=1),
    Case("a request behind a trailer", chunked(b"2\r\n{}\r\n0\r\nA: b\r\n\r\n" + SMUGGLED), (200,), acts=1),
    Case(
        "a colon for the last trailer", chunked(b"2\r\n{}\r\n0\r\nA: b\r\n:\r\n" + SMUGGLED), (200,), acts=1,
        since_1_0=REFUSED_BY_LIBRARY),
    Case(
        "a NUL for the only trailer", chunked(b"2\r\n{}\r\n0\r\n\x00\r\n" + SMUGGLED), (200,), acts=1,
        since_1_0=REFUSED_BY_LIBRARY),
    refused("a colon for the only trailer", chunked(b"2\r\n{}\r\n0\r\n:\r\n" + SMUGGLED)),
    refused("a trailer that is a request", chunked(b"2\r\n{}\r\n0\r\n" + SMUGGLED)),
    # The library takes the LF for the end of the line, so the request is part of a chunk.
    Case("a bare LF in an extension", chunked(
        b"2;a\nxx\r\n%x\r\n" % len(SMUGGLED) + SMUGGLED + b"\r\n0\r\n\r\n"), (400,),
        since_1_0=REFUSED_BY_LIBRARY),
    refused("a body above the limit", chunked(chunks(*[b" " * 8192] * 9)), 413),
]
