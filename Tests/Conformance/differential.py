#!/usr/bin/env python3
"""Writes random cases for the runner, with the results of Python as the expected ones.

    differential.py [SEED] [COUNT] | CELConformance

The cases compare regular expressions with `re`, formats with `%`, timestamps with `datetime` and `zoneinfo`, and the
functions of strings, lists and numbers with those of `str`, `list` and `math`.
"""

import datetime
import decimal
import json
import math
import random
import re
import sys
import zoneinfo

ALPHABET = "aabbcAB1 _-\nñ"
ATOMS = ["a", "b", "c", "A", "ñ", ".", r"\d", r"\w", r"\s", r"\W", r"\D", "[ab]", "[^a]", "[a-c1]", r"[^\d]", r"\.",
         "-", r"\b", r"\B", "^", "$", "[-a]", r"[a\-b]", "1", "_", " "]
ZONES = ["Australia/Sydney", "US/Central", "America/St_Johns", "Asia/Kathmandu", "Europe/Berlin", "America/Sao_Paulo",
         "Africa/Casablanca", "Pacific/Apia", "Europe/Dublin", "Antarctica/Troll", "America/Nuuk", "Asia/Tehran"]


def quoted(text):
    """Returns a literal of CEL."""
    return "'" + "".join(
        c if c.isalnum() and c.isascii() or c in " _-.,:/+[](){}^$?*|%<>=" else f"\\U{ord(c):08x}" for c in text) + "'"


def pattern(generator, depth=0):
    parts = []
    for _ in range(generator.randint(0 if depth else 1, 4)):
        kind = generator.random()
        if kind < 0.25 and depth < 3:
            opening = generator.choice(["(", "(?:", "(", "(?i:" if depth == 0 else "("])
            part = opening + pattern(generator, depth + 1) + ")"
        else:
            part = generator.choice(ATOMS)
        if part not in ("^", "$", r"\b", r"\B") and generator.random() < 0.3:
            part += generator.choice(["*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?"])
        parts.append(part)
    text = "".join(parts)
    return text + "|" + pattern(generator, depth + 1) if generator.random() < 0.2 and depth < 3 else text


def matches(generator):
    source = generator.choice(["", "", "", "(?i)", "(?s)", "(?m)"]) + pattern(generator)
    # Before Python 3.14, \B does not match in an empty text.
    text = "".join(generator.choice(ALPHABET) for _ in range(generator.randint(1 if r"\B" in source else 0, 12)))
    # RE2's $ without (?m) is the end of the text only; that of Python matches before a last newline too. In RE2, \s
    # lacks the vertical tab, which the alphabet has not.
    python = source if "(?m)" in source else re.sub(r"(?<!\\)\$", r"\\Z", source)
    expected = re.search(python, text, re.ASCII) is not None
    return f"{quoted(text)}.matches({quoted(source)})", {"bool": expected}


def number(generator):
    kind = generator.random()
    if kind < 0.3:
        return generator.uniform(-1000, 1000)
    if kind < 0.5:
        return generator.randint(-100000, 100000) / generator.choice([2, 4, 8, 10, 100, 1000])
    if kind < 0.6:
        return generator.choice(
            [0.0, 0.5, 1.5, 2.5, 9.995, 0.05, 9.5, 99.5, 1e21, 1e22, 5e-324, 1.7976931348623157e308])
    return generator.uniform(-10, 10) * 10.0 ** generator.randint(-300, 300)


def formats(generator):
    value = number(generator)
    clause = f"%.{generator.randint(0, 20)}{generator.choice('fe')}" if generator.random() < 0.9 else "%f"
    return f"{quoted(clause)}.format([{value!r}])".replace("e+", "e"), {"string": clause % value}


def doubles(generator):
    value = number(generator)
    return f"double(string({value!r}))".replace("e+", "e"), {"double": repr(value)}


def timestamps(generator):
    zone = generator.choice(ZONES + ["UTC"])
    # The last transitions of files lie before 2038, so later times test the rules in the footers.
    seconds = generator.randint(-2_000_000_000, 5_000_000_000)
    time = datetime.datetime.fromtimestamp(seconds, zoneinfo.ZoneInfo(zone))
    name, value = generator.choice([
        ("getFullYear", time.year), ("getMonth", time.month - 1), ("getDate", time.day), ("getHours", time.hour),
        ("getMinutes", time.minute), ("getDayOfWeek", time.isoweekday() % 7), ("getSeconds", time.second),
        ("getDayOfYear", time.timetuple().tm_yday - 1),
    ])
    return f"timestamp({seconds}).{name}('{zone}')", {"int": str(value)}


def dates(generator):
    seconds = generator.randint(-62_135_596_800, 253_402_300_799)
    time = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    text = time.isoformat() + "Z"
    if generator.random() < 0.5:
        return f"string(timestamp({seconds}))", {"string": text}
    return f"int(timestamp('{text}'))", {"int": str(seconds)}


def strings(generator):
    text = "".join(generator.choice("abñ🐱") for _ in range(generator.randint(0, 10)))
    part = "".join(generator.choice("abñ🐱") for _ in range(generator.randint(0, 2)))
    new = generator.choice(["", "x", "ññ"])
    match generator.randint(0, 5):
        case 0:
            return f"{quoted(text)}.replace({quoted(part)}, {quoted(new)})", {"string": text.replace(part, new)}
        case 1:
            start = generator.randint(0, len(text))
            return f"{quoted(text)}.indexOf({quoted(part)}, {start})", {"int": str(text.find(part, start))}
        case 2:
            start = generator.randint(0, len(text))
            return f"{quoted(text)}.lastIndexOf({quoted(part)}, {start})", {
                "int": str(text.rfind(part, 0, start + len(part)))}
        case 3:
            limit = generator.randint(1, 4)
            return f"{quoted(text)}.replace({quoted(part)}, {quoted(new)}, {limit})", {
                "string": text.replace(part, new, limit)}
        case 4 if part:
            limit = generator.randint(1, 4)
            parts = text.split(part, limit - 1)
            return f"{quoted(text)}.split({quoted(part)}, {limit})", {"list": [{"string": part} for part in parts]}
        case _:
            start = generator.randint(0, len(text))
            end = generator.randint(start, len(text))
            return f"{quoted(text)}.substring({start}, {end})", {"string": text[start:end]}


def lists(generator):
    make = generator.choice([
        lambda: generator.randint(-3, 3), lambda: number(generator),
        lambda: "".join(generator.choice("abñ🐱") for _ in range(generator.randint(0, 2)))])
    values = [make() for _ in range(generator.randint(1, 5))]
    literal, kind = {
        int: (str, "int"), float: (lambda value: repr(value).replace("e+", "e"), "double"), str: (quoted, "string"),
    }[type(values[0])]
    text = f"[{', '.join(literal(value) for value in values)}]"
    one = values[0] if generator.random() < 0.7 else make()
    match generator.choice(["sum", "min", "max", "isSorted", "indexOf", "lastIndexOf"]):
        case "sum" if kind == "int":
            return f"{text}.sum()", {"int": str(sum(values))}
        case "min":
            return f"{text}.min()", {kind: str(min(values))}
        case "max":
            return f"{text}.max()", {kind: str(max(values))}
        case "indexOf":
            return f"{text}.indexOf({literal(one)})", {"int": str(values.index(one) if one in values else -1)}
        case "lastIndexOf":
            index = len(values) - 1 - values[::-1].index(one) if one in values else -1
            return f"{text}.lastIndexOf({literal(one)})", {"int": str(index)}
        case _:
            return f"{text}.isSorted()", {"bool": values == sorted(values)}


def rounding(generator):
    value = number(generator)
    name, found = generator.choice([
        ("ceil", math.ceil(value)), ("floor", math.floor(value)), ("abs", abs(value)),
        ("round", decimal.Decimal(value).to_integral_value(decimal.ROUND_HALF_UP)),
    ])
    found = float(found) if name == "abs" else math.copysign(float(found), value)
    return f"math.{name}({value!r})".replace("e+", "e"), {"double": repr(found)}


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    generator = random.Random(seed)
    for make in (matches, formats, doubles, timestamps, dates, strings, lists, rounding):
        for index in range(count):
            try:
                expression, expected = make(generator)
            except re.error:
                continue
            print(json.dumps({
                "file": make.__name__, "section": f"seed {seed}", "name": str(index), "expr": expression, "check": True,
                "expected": expected,
            }))


if __name__ == "__main__":
    main()
