"""Checks generated values of each field of the example app `gallery`, and generated forms, by the service and by the
JSON Schema."""
import argparse, http.client, json, os, random, sys
import jsonschema
import forms
from usher import Service

# Values from which others are made.
SEEDS = [
    "ann@example.com", "+49 30 123456", "https://example.com/a?b=c", "2026-11-25", "2024-02-29", "09:30", "breakfast",
    "2026-11-25T09:30:00+01:00", "2024-02-29T23:59:59.5Z", "C01X00T47",
    "small", "red", "123456", "", "a", "é", "日本", 0, 1, 12, -1, 99, 100, 1000, 100000, 100001, 0.5, 12.0, 999.5, True, False,
    None, [], {}, ["nothing"], ["parking", "nothing"], ["parking"], ["parking", "bicycle"], ["parking", "parking"], ["breakfast", "parking", "bicycle"], [1],
    "x" * 81, "x" * 2001, 1e300, 2**53, 2**63, -(2**63) - 1]
CHARACTERS = "az09 .-+@:/_()#é日\n\u0000\"\\"


def generate(source):
    value = source.choice(SEEDS)
    for _ in range(source.choice([0, 0, 1, 1, 2, 4])):
        if isinstance(value, str):
            at = source.randint(0, len(value))
            value = source.choice([
                value[:at] + source.choice(CHARACTERS) + value[at:], value[:at] + value[at + 1:],
                value[:at] + source.choice(CHARACTERS) + value[at + 1:]])
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            value = source.choice([value + 1, -value, value / 2, value * 10])
        elif isinstance(value, list):
            value = value + [source.choice(SEEDS)]
    return value


def is_comparable(value, schema):
    # In Python, `$` also matches before a final line feed, unlike in ECMA-262.
    if isinstance(value, str) and "pattern" in schema and value.endswith("\n"):
        return False
    # The service reads numbers as 64 bits, and says so in its documentation.
    return not isinstance(value, (int, float)) or abs(value) < 2**63


def trimmed(value, schema):
    """Returns the value that the service checks: a text without the white space around it, unless it is a secret or a
    choice."""
    if not isinstance(value, str) or schema.get("writeOnly") or {"enum", "oneOf", "const"} & set(schema):
        return value
    return value.strip(" \n")


def check(connection, path, action, count, source):
    """Returns the number of valid values. The other fields are missing, so that the service performs no action."""
    schema, validator = action["input"], jsonschema.Draft202012Validator
    validator.check_schema(schema)
    for name, field in schema["properties"].items():
        rule = validator(field, format_checker=validator.FORMAT_CHECKER)
        valid = compared = 0
        while compared < count:
            value = generate(source)
            if not is_comparable(value, field):
                continue
            compared += 1
            connection.request("POST", path, json.dumps({name: value}), {"Content-Type": "application/json"})
            response = connection.getresponse()
            problem = json.loads(response.read())
            if response.status != 422:
                sys.exit(f"{name}: {value!r} got {response.status}: {problem}")
            refused = [error for error in problem["errors"] if error["pointer"] == f"/{name}"]
            if bool(refused) == rule.is_valid(trimmed(value, field)):
                sys.exit(f"{name}: the service and the schema disagree on {value!r}: {refused}, {field}")
            valid += not refused
        if valid == 0:
            sys.exit(f"{name}: none of the values was valid.")
        print(f"{name}: {valid} of {count} values are valid")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("usher")
    parser.add_argument("--values", type=int, default=1000)
    parser.add_argument("--forms", type=int, default=1000)
    parser.add_argument("--inputs", type=int, default=12, help="of each form")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ["USHER"] = options.usher
    service, source = Service(errors=open(os.devnull, "w")), random.Random(options.seed)
    connection = http.client.HTTPConnection("127.0.0.1", service.port)
    for screen in ("fields", "more-fields"):
        session = service.request("POST", "/v1/sessions", {"app": "gallery"})["links"]["self"]
        view = service.request("POST", f"{session}/actions/{screen}")
        check(connection, f"{session}/actions/send", view["actions"][0], options.values, source)
    service.stop()
    forms.check(options.forms, options.inputs, source)


main()
