#!/usr/bin/env python3
"""Writes the cases of the JSON Schema test suite, draft 2020-12, as JSON lines for the runner.

    jsonschema.py FOLDER | SchemaConformance

FOLDER has the cases, a copy of tests/draft2020-12 of json-schema-org/JSON-Schema-Test-Suite, as the source of jsonschema
contains it. A case with a keyword or a reference that Sources/JSONSchema does not support has an `excluded` reason in its
line. The cases in the folder `optional` are left out.
"""

import json
import pathlib
import sys

DIALECT = "https://json-schema.org/draft/2020-12/schema"

# The keywords that Sources/JSONSchema supports, and where their values have schemas.
WITHOUT_SCHEMA = set(
    "$schema $ref $comment title description default examples deprecated readOnly writeOnly type enum const minimum"
    " maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format minContains maxContains"
    " minItems maxItems uniqueItems required dependentRequired minProperties maxProperties".split())
WITH_SCHEMA = set("items contains additionalProperties propertyNames not if then else".split())
WITH_LIST = set("prefixItems allOf anyOf oneOf".split())
WITH_NAMES = set("$defs properties patternProperties dependentSchemas".split())


def reasons(schema):
    """Yields the reasons why a schema is not supported."""
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        if keyword in WITH_SCHEMA:
            yield from reasons(value)
        elif keyword in WITH_LIST:
            for part in value:
                yield from reasons(part)
        elif keyword in WITH_NAMES:
            for part in value.values():
                yield from reasons(part)
        elif keyword not in WITHOUT_SCHEMA:
            yield f"keyword {keyword}"
        elif keyword == "$schema" and value != DIALECT:
            yield "another dialect"
        elif keyword == "$ref" and not value.startswith("#"):
            yield "reference to another document"
        elif keyword == "$ref" and value[1:2] not in ("", "/"):
            yield "keyword $anchor"


def main():
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
        for group in json.loads(path.read_text()):
            excluded = sorted(set(reasons(group["schema"])))
            for test in group["tests"]:
                case = {"file": path.stem, "group": group["description"], "name": test["description"]}
                if excluded:
                    case["excluded"] = ", ".join(excluded)
                else:
                    case |= {"schema": group["schema"], "data": test["data"], "valid": test["valid"]}
                print(json.dumps(case, ensure_ascii=False))


if __name__ == "__main__":
    main()
