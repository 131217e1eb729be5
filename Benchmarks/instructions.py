"""Prints the user instructions of one action, by the part of the service that executes them.

    instructions.py STEPS

STEPS is the release executable.
"""
import concurrent.futures, re, sys, tempfile
from callgrind import action_cost, without_debug_information

ACTIONS = [("pages", "memory"), ("shop", "memory"), ("pages", "sqlite"), ("shop", "sqlite")]
# The parts, by their functions or object files. A function belongs to the first part that matches.
PARTS = [
    ("reference counts", r"retain|release|RefCount"),
    ("allocation", r"malloc|calloc|realloc|memalign|_int_free|^free |swift_.*[aA]lloc|dealloc|unlink_chunk"),
    ("value copies", r"^outlined|WO[a-z]*\b|^\$s.*W[cdbu]\b|^\$s.*w[a-z]{2} |swift_array|memcpy|memmove"),
    ("cryptography", r" lib(gnutls|nettle)|^\$s12Cryptography"),
    ("tasks", r"swift_task|swift_job|AsyncTask|_dispatch|swift_continuation"),
    ("type metadata", r"[mM]etadata|swift_conformsTo|WitnessTable|swift_dynamicCast"),
    ("libmicrohttpd", r" libmicrohttpd"),
    ("SQLite", r" libsqlite3|^sqlite3"),
    ("navigation", r"^\$s10Navigation"),
    ("JSON and values", r"^\$s6Values"),
    ("sessions and stores", r"^\$s(8Sessions|6Stores)"),
    ("HTTP API", r"^\$s(7HTTPAPI|8Messages|6Access|13Observability)"),
    ("MicroHTTP", r"^\$s9MicroHTTP"),
    ("the app", r"^\$s(11ExampleApps|5Views)"),
    ("Swift library", r"^\$s|^swift|^_swift"),
    ("C library", r" lib(c|m|pthread)\b"),
    ("other", r""),
]


def by_part(costs):
    sums = dict.fromkeys((part for part, _ in PARTS), 0)
    for (function, file), cost in costs.items():
        sums[next(part for part, pattern in PARTS if re.search(pattern, f"{function} {file}"))] += cost
    return sums


def main(steps):
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        stripped = without_debug_information(steps, folder)
        costs = pool.map(lambda action: action_cost(stripped, action[0], "serve", action[1], folder), ACTIONS)
        columns = [by_part(cost) for cost in costs]
    print("instructions an action".ljust(24) + "".join(f"{app}, {store}".rjust(16) for app, store in ACTIONS))
    for part, _ in PARTS:
        print(part.ljust(24) + "".join(f"{column[part]:16,.0f}" for column in columns))
    print("total".ljust(24) + "".join(f"{sum(column.values()):16,.0f}" for column in columns))


main(*sys.argv[1:])
