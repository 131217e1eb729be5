#!/usr/bin/env python3
"""Converts the conformance cases of the CEL specification from textproto into JSON lines for the runner.

    conformance.py FOLDER | CELConformance

FOLDER has the cases, a copy of tests/simple/testdata of google/cel-spec, as the source of cel-python contains it. A case
that constructs, binds or expects a protocol-buffer message has an `excluded` reason in its line.
"""

import json
import pathlib
import re
import sys

FILES = [
    "basic", "comparisons", "conversions", "fields", "fp_math", "integer_math", "lists", "logic", "macros", "macros2",
    "math_ext", "parse", "plumbing", "string", "string_ext", "timestamps",
]

# The sections about functions that the language has; all sections of other files.
SECTIONS = {
    "math_ext": [
        "greatest_int_result", "greatest_double_result", "greatest_uint_result", "least_int_result",
        "least_double_result", "least_uint_result", "ceil", "floor", "round", "abs",
    ],
}

TOKEN = re.compile(
    r"""(?P<skip>[\s,;]+|\#[^\n]*)"""
    r"""|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')"""
    r"""|(?P<type>\[[A-Za-z0-9_./]+\])"""
    r"""|(?P<mark>[{}<>:\[\]])"""
    r"""|(?P<word>-?[A-Za-z0-9_.+-]+)""",
    re.DOTALL,
)

ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
LETTERS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def unescape(text):
    """Returns the bytes of a string literal of the text format."""
    out, at = bytearray(), 0
    for match in ESCAPE.finditer(text):
        out += text[at : match.start()].encode()
        at = match.end()
        hexadecimal, octal, short, long, letter = match.groups()
        if hexadecimal:
            out.append(int(hexadecimal, 16))
        elif octal:
            out.append(int(octal, 8))
        elif short or long:
            out += chr(int(short or long, 16)).encode()
        else:
            out += LETTERS.get(letter, letter).encode()
    return bytes(out + text[at:].encode())


class Reader:
    """A reader of the text format (protobuf.dev/reference/protobuf/textformat-spec). A message is a list of pairs."""

    def __init__(self, text):
        self.tokens, at = [], 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if not match:
                raise ValueError(f"No token at {text[at:at + 40]!r}")
            at = match.end()
            if match.lastgroup != "skip":
                self.tokens.append((match.lastgroup, match.group()))
        self.at = 0

    def next_is(self, *marks):
        return self.at < len(self.tokens) and self.tokens[self.at] in [("mark", mark) for mark in marks]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def message(self):
        fields = []
        while self.at < len(self.tokens) and not self.next_is("}", ">"):
            name = self.take()[1]
            if self.next_is(":"):
                self.take()
            if self.next_is("["):
                self.take()
                while not self.next_is("]"):
                    fields.append((name, self.value()))
                self.take()
            else:
                fields.append((name, self.value()))
        return fields

    def value(self):
        if self.next_is("{", "<"):
            self.take()
            message = self.message()
            self.take()
            return message
        kind, text = self.take()
        if kind != "string":
            return text
        data = unescape(text[1:-1])
        while self.at < len(self.tokens) and self.tokens[self.at][0] == "string":
            data += unescape(self.take()[1][1:-1])
        return data


class Excluded(Exception):
    """The reason why a case lies outside the language without messages."""


def get(message, name, default=None):
    return next((value for key, value in message if key == name), default)


def all_of(message, *names):
    return [value for key, value in message if key in names]


def value_of(message):
    """Returns the JSON of a cel.expr.Value."""
    if not message:
        raise Excluded("a value without a kind")
    kind, content = message[0]
    match kind:
        case "null_value":
            return {"null": True}
        case "bool_value":
            return {"bool": content == "true"}
        case "int64_value":
            return {"int": content}
        case "uint64_value":
            return {"uint": content}
        case "double_value":
            return {"double": content}
        case "string_value":
            return {"string": content.decode()}
        case "bytes_value":
            return {"bytes": list(content)}
        case "type_value":
            return {"type": content.decode()}
        case "list_value":
            return {"list": [value_of(value) for value in all_of(content, "values")]}
        case "map_value":
            entries = all_of(content, "entries")
            return {"map": [[value_of(get(entry, "key")), value_of(get(entry, "value"))] for entry in entries]}
        case "object_value":
            name, fields = content[0]
            name = name.strip("[]").split("/")[-1]
            if name in ("google.protobuf.Timestamp", "google.protobuf.Duration"):
                key = "timestamp" if name.endswith("Timestamp") else "duration"
                return {key: [get(fields, "seconds", "0"), get(fields, "nanos", "0")]}
            raise Excluded(f"protocol-buffer message {name}")
    raise Excluded(f"protocol-buffer {kind}")


PRIMITIVES = {
    "BOOL": "bool", "INT64": "int", "UINT64": "uint", "DOUBLE": "double", "STRING": "string", "BYTES": "bytes",
}


def type_of(message):
    """Returns the JSON of a cel.expr.Type."""
    kind, content = message[0]
    match kind:
        case "primitive":
            return PRIMITIVES[content]
        case "dyn":
            return "dyn"
        case "null":
            return "null"
        case "well_known":
            return {"TIMESTAMP": "timestamp", "DURATION": "duration"}[content]
        case "list_type":
            return {"list": type_of(get(content, "elem_type"))}
        case "map_type":
            return {"map": [type_of(get(content, "key_type")), type_of(get(content, "value_type"))]}
        case "message_type":
            name = content.decode()
            if name in ("google.protobuf.Timestamp", "google.protobuf.Duration"):
                return name.split(".")[-1].lower()
            raise Excluded(f"protocol-buffer message {name}")
    raise Excluded(f"a declared type {kind}")


MESSAGES = re.compile(
    r"TestAllTypes|google\s*\.\s*protobuf\s*\.\s*\w+\s*\{|GlobalEnum|NestedEnum|NullValue|Struct\{|Value\{")
MESSAGE_TYPE = re.compile(r"google\.protobuf\.(?!Timestamp|Duration)\w+")
# The arguments of one call, without a double: with one, all become doubles.
MIXED = re.compile(r"math\.\w+\((?=[^.)]*\du)(?=[^.)]*\b\d+\b)[^.)]*\)")


def case_of(file, section, test):
    expression = get(test, "expr").decode()
    names = {"section": get(section, "name").decode(), "name": get(test, "name").decode()}
    case = {"file": file} | names | {"expr": expression}
    try:
        for pattern in (MESSAGES, MESSAGE_TYPE):
            if match := pattern.search(expression):
                raise Excluded(f"protocol-buffer message {match.group().rstrip('{').strip()}")
        if "math.isNaN" in expression:
            raise Excluded("the function math.isNaN")
        if MIXED.search(expression):
            raise Excluded("a uint beside an int as the arguments of a function")
        case["check"] = get(test, "disable_check") != "true"
        case["container"] = get(test, "container", b"").decode()
        case["types"] = {}
        for declaration in all_of(test, "type_env"):
            if ident := get(declaration, "ident"):
                case["types"][get(declaration, "name").decode()] = type_of(get(ident, "type"))
            else:
                raise Excluded("a declared function")
        case["bindings"] = {}
        for binding in all_of(test, "bindings"):
            case["bindings"][get(binding, "key").decode()] = value_of(get(get(binding, "value"), "value"))
        if get(test, "eval_error") is not None:
            case["expected"] = {"error": True}
        elif (result := get(test, "typed_result")) is not None:
            case["expected"] = value_of(get(result, "result"))
        elif (value := get(test, "value")) is not None:
            case["expected"] = value_of(value)
        else:
            case["expected"] = {"bool": True}
    except Excluded as reason:
        case = {key: case[key] for key in ("file", "section", "name", "expr")} | {"excluded": str(reason)}
    return case


def main():
    folder = pathlib.Path(sys.argv[1])
    for file in FILES:
        for section in all_of(Reader((folder / f"{file}.textproto").read_text()).message(), "section"):
            if get(section, "name").decode() not in SECTIONS.get(file, [get(section, "name").decode()]):
                continue
            for test in all_of(section, "test"):
                print(json.dumps(case_of(file, section, test), ensure_ascii=False))


if __name__ == "__main__":
    main()
