"""Compares costs that do not depend on the speed of the machine with the budgets in budgets.json.

    budgets.py BUILD STEPS USHER [--write]

BUILD names the section of the file: `release`, or `test` for the optimized debug build of script/test. STEPS and USHER
are the executables of that build. A figure more than 3 % above its budget fails. A commit that increases a cost writes
the new figures with --write, and gives the reason.

The budgets apply to one toolchain and its libraries, which the file names. With others, the figures are printed but not
compared.
"""
import concurrent.futures, json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "budgets.json")
SLACK = 0.03
# The number of sessions that take turns, of actions before the measurement, and of measured actions.
SESSIONS, WARM_UP, ACTIONS = 8, 240, 480
# The depths of sessions. Purchases give a session of `shop` a realistic size.
DEPTHS = {"pages": 1, "shop": 31}
CREATED = 10_000
# One arena, so that the figures count all allocations, and a fixed order of hash tables.
ENVIRONMENT = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", MALLOC_ARENA_MAX="1")


def run(*command):
    result = subprocess.run(
        [str(part) for part in command], env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def instructions(profile):
    """Returns the instructions of a profile without memset, with which libmicrohttpd clears its pool for a request."""
    total, function, skip, names = 0, "", False, {}
    for line in open(profile):
        # The first line with the number of a function also contains its name.
        if line.startswith(("fn=", "cfn=")):
            kind, _, rest = line.strip().partition("=")
            number, _, name = rest.partition(" ")
            names.setdefault(number, name)
            if kind == "fn":
                function = names[number]
        elif line.startswith("calls="):
            skip = True  # The next line contains the costs of the called function.
        elif re.match(r"[\d+*-]", line):
            if not skip and "memset" not in function:
                total += int(line.split()[1])
            skip = False
    return total


def action_cost(steps, app, part, store, folder):
    """Returns the instructions an action. The difference of two runs excludes the start and the first actions."""
    def total(count):
        base = os.path.join(folder, f"{app}-{part}-{store}-{count}")
        location = f"sqlite:{base}.sqlite" if store == "sqlite" else store
        run(
            "valgrind", "--tool=callgrind", f"--callgrind-out-file={base}", steps, app, part, count, DEPTHS[app], 1,
            location, SESSIONS)
        return instructions(base)

    return (total(WARM_UP + ACTIONS) - total(WARM_UP)) // ACTIONS


def without_debug_information(executable, folder):
    """Copies an executable without debug information, because valgrind 3.19 fails on the DWARF 5 of Swift."""
    copy = os.path.join(folder, os.path.basename(executable))
    subprocess.run(["strip", "-g", "-o", copy, executable], check=True)
    return copy


def disk_cost(steps, folder):
    file = os.path.join(folder, "sessions.sqlite")
    run(steps, "shop", "create", CREATED, f"sqlite:{file}")
    return sum(
        os.path.getsize(file + suffix) for suffix in ("", "-wal") if os.path.exists(file + suffix)) // (2 * CREATED)


def measure(build, steps, usher):
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        stripped = without_debug_information(steps, folder)
        # The difference of `serve` and `respond` is the cost of the socket.
        parts = [("serve", "memory"), ("serve", "sqlite")] + [("respond", "memory")] * (build == "release")
        kinds = [(app, *part) for app in DEPTHS for part in parts]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            names = [f"instructions an action: {', '.join(kind)}" for kind in kinds]
            figures |= zip(names, pool.map(lambda kind: action_cost(stripped, *kind, folder), kinds))
        figures["bytes of an idle session of shop in memory"] = int(
            run(steps, "shop", "create", CREATED, "memory").split()[-2])
        figures["bytes of an idle session of shop in SQLite"] = disk_cost(steps, folder)
    figures["libraries loaded at the start"] = len(run("ldd", usher).splitlines())
    if build == "release":
        figures["bytes of the executable"] = os.path.getsize(usher)
    return figures


def surroundings():
    """Returns the versions of the compiler and of the linked libraries, on which the figures depend."""
    def version(*command):
        return re.search(r"\d+(\.\d+)+", subprocess.run(command, check=True, capture_output=True, text=True).stdout)[0]

    libraries = ("libmicrohttpd", "sqlite3")
    versions = {name: version("pkg-config", "--modversion", name) for name in libraries}
    return {
        "machine": os.uname().machine, "Swift": version("swift", "--version"), "glibc": version("ldd", "--version"),
        **versions}


def main(build, steps, usher, *options):
    budgets = json.load(open(FILE)) if os.path.exists(FILE) else {}
    here, figures = surroundings(), measure(build, steps, usher)
    if "--write" in options:
        budgets |= {"surroundings": here, build: figures}
        with open(FILE, "w") as file:
            json.dump(budgets, file, indent=2)
            file.write("\n")
    recorded = budgets["surroundings"]
    others = [f"{name} {recorded.get(name)}" for name, value in here.items() if recorded.get(name) != value]
    if others:
        print(f"Not compared: the budgets apply to {', '.join(others)}.")
    failures = 0
    for name, figure in figures.items():
        budget = budgets.get(build, {}).get(name)
        change = "no budget" if budget is None else f"{100 * (figure - budget) / budget:+.1f} %"
        failed = budget is None or figure > budget * (1 + SLACK)
        failures += failed
        print(f"{'FAIL' if failed else 'ok  '}  {name}: {figure:,} ({change})")
    if failures:
        print("Reduce the cost, or give the reason in the commit and write new budgets: "
              f"python3 Benchmarks/budgets.py {build} {steps} {usher} --write")
    print(f"{len(figures) - failures} passed, {failures} failed")
    return 1 if failures and not others else 0


sys.exit(main(*sys.argv[1:]))
