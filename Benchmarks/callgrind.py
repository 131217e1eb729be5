"""Counts the user instructions of one action with valgrind. They do not depend on the speed of the machine."""
import collections, os, re, subprocess, sys

# The number of sessions that take turns, of actions before the measurement, and of measured actions.
SESSIONS, WARM_UP, ACTIONS = 8, 240, 480
# The depths of sessions. Purchases give a session of `shop` a realistic size.
DEPTHS = {
    "pages": 1, "shop": 31, "flow/shop": 31, "plain-items": 1, "items": 1,
    "flow/journey": 2, "flow/journey/check": 2, "flow/screens": 2, "flow/screens/check": 2}
# Parts of names of functions that are not counted. libmicrohttpd clears its pool for a request with memset, which
# valgrind counts by the byte. The Swift runtime looks up metadata in hash tables of addresses, whose collisions differ
# from build to build by up to 3 % of an action.
UNCOUNTED = ("memset", "ConcurrentReadableHashMap", "MetadataCacheKey::operator==")
# One arena, so that the figures count all allocations, and a fixed order of hash tables.
ENVIRONMENT = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", MALLOC_ARENA_MAX="1")


def run(*command):
    result = subprocess.run(
        [str(part) for part in command], env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def without_debug_information(executable, folder):
    """Copies an executable without debug information, because valgrind 3.19 fails on the DWARF 5 of Swift."""
    copy = os.path.join(folder, os.path.basename(executable))
    subprocess.run(["strip", "-g", "-o", copy, executable], check=True)
    return copy


def action_cost(steps, app, part, store, folder):
    """Returns the instructions an action, by function without its callees.

    The difference of two runs excludes the start and the first actions.
    """
    def profile(count):
        base = os.path.join(folder, f"{app.replace('/', '-')}-{part}-{store}-{count}")
        location = f"sqlite:{base}.sqlite" if store == "sqlite" else store
        run(
            "valgrind", "--tool=callgrind", f"--callgrind-out-file={base}", steps, app, part, count, DEPTHS[app], 1,
            location, SESSIONS)
        return by_function(base)

    before, after = profile(WARM_UP), profile(WARM_UP + ACTIONS)
    return {name: (after[name] - before[name]) / ACTIONS for name in after | before}


def by_function(profile):
    """Returns the instructions by function and object file, without the uncounted functions."""
    costs, function, file, skip, names = collections.Counter(), "", "", False, {}
    for line in open(profile):
        if line.startswith(("ob=", "cob=", "fn=", "cfn=")):
            kind, _, rest = line.strip().partition("=")
            number, _, name = rest.partition(" ")
            # The first line with a number also contains its name.
            name = names.setdefault((kind[-2:], number), name)
            if kind == "ob":
                file = os.path.basename(name)
            elif kind == "fn":
                function = name
        elif line.startswith("calls="):
            skip = True  # The next line contains the costs of the called function.
        elif re.match(r"[\d+*-]", line):
            if not skip and not any(name in function for name in UNCOUNTED):
                costs[function, file] += int(line.split()[1])
            skip = False
    return costs
