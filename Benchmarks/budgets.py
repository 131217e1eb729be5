"""Compares what does not depend on the machine's speed with the budgets in budgets.json.

    budgets.py BUILD STEPS USHER [--write]

BUILD names the part of the file that the figures are compared with, or written to: `release`, or `test` for the
optimised debug build that script/test makes. STEPS and USHER are the executables of that build. A figure more than 3 %
above its budget fails: a commit that makes something more expensive writes the new figures, and says why.

The figures belong to one toolchain and its libraries, which the file names. With others they are printed and not
compared.
"""
import concurrent.futures, json, os, re, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "budgets.json")
SLACK = 0.03
# Sessions that take turns, actions before the measurement, and actions that are measured.
SESSIONS, WARM_UP, ACTIONS = 8, 240, 480
# Purchases make a session of `shop` as large as one in use.
DEPTHS = {"pages": 1, "shop": 31}
CREATED = 10_000
# One arena, so that all allocations are counted, and the same order of hash tables each time.
ENVIRONMENT = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1", MALLOC_ARENA_MAX="1")


def run(*command):
    result = subprocess.run([str(part) for part in command], env=ENVIRONMENT, capture_output=True, text=True, timeout=300)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{result.stdout}{result.stderr}")
    return result.stdout


def instructions(profile):
    """All instructions of a profile but those of memset: libmicrohttpd clears its pool for every request."""
    total, function, skip, names = 0, "", False, {}
    for line in open(profile):
        # A function has its name where its number comes first, be it as the caller or as the called one.
        if line.startswith(("fn=", "cfn=")):
            kind, _, rest = line.strip().partition("=")
            number, _, name = rest.partition(" ")
            names.setdefault(number, name)
            if kind == "fn":
                function = names[number]
        elif line.startswith("calls="):
            skip = True  # the next line has the costs of the called function
        elif re.match(r"[\d+*-]", line):
            if not skip and "memset" not in function:
                total += int(line.split()[1])
            skip = False
    return total


def action_cost(steps, app, part, store, folder):
    """Instructions an action: the difference of two runs, so that neither the start nor the first actions count."""
    def total(count):
        base = os.path.join(folder, f"{app}-{part}-{store}-{count}")
        location = f"sqlite:{base}.sqlite" if store == "sqlite" else store
        run("valgrind", "--tool=callgrind", f"--callgrind-out-file={base}", steps, app, part, count, DEPTHS[app], 1, location, SESSIONS)
        return instructions(base)

    return (total(WARM_UP + ACTIONS) - total(WARM_UP)) // ACTIONS


def without_debug_information(executable, folder):
    """valgrind 3.19 ends at the DWARF 5 that Swift writes."""
    copy = os.path.join(folder, os.path.basename(executable))
    subprocess.run(["strip", "-g", "-o", copy, executable], check=True)
    return copy


def disk_cost(steps, folder):
    file = os.path.join(folder, "sessions.sqlite")
    run(steps, "shop", "create", CREATED, f"sqlite:{file}")
    return sum(os.path.getsize(file + suffix) for suffix in ("", "-wal") if os.path.exists(file + suffix)) // (2 * CREATED)


def measure(build, steps, usher):
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        stripped = without_debug_information(steps, folder)
        # `respond` shows what of `serve` is the socket's.
        parts = [("serve", "memory"), ("serve", "sqlite")] + [("respond", "memory")] * (build == "release")
        kinds = [(app, *part) for app in DEPTHS for part in parts]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            names = [f"instructions an action: {', '.join(kind)}" for kind in kinds]
            figures |= zip(names, pool.map(lambda kind: action_cost(stripped, *kind, folder), kinds))
        figures["bytes of an idle session of shop in memory"] = int(run(steps, "shop", "create", CREATED, "memory").split()[-2])
        figures["bytes of an idle session of shop in SQLite"] = disk_cost(steps, folder)
    figures["libraries loaded at the start"] = len(run("ldd", usher).splitlines())
    if build == "release":
        figures["bytes of the executable"] = os.path.getsize(usher)
    return figures


def surroundings():
    """What the figures depend on beside Usher: the versions of the compiler and of the libraries that it is linked
    with."""
    def version(*command):
        return re.search(r"\d+(\.\d+)+", subprocess.run(command, check=True, capture_output=True, text=True).stdout)[0]

    libraries = ("libmicrohttpd", "sqlite3", "libpq", "libcurl")
    return {"machine": os.uname().machine, "Swift": version("swift", "--version"), "glibc": version("ldd", "--version")} | {
        name: version("pkg-config", "--modversion", name) for name in libraries}


def main(build, steps, usher, *options):
    budgets = json.load(open(FILE)) if os.path.exists(FILE) else {}
    here, figures = surroundings(), measure(build, steps, usher)
    if "--write" in options:
        budgets |= {"surroundings": here, build: figures}
        with open(FILE, "w") as file:
            json.dump(budgets, file, indent=2)
            file.write("\n")
    others = [f"{name} {budgets['surroundings'].get(name)}" for name, value in here.items() if budgets["surroundings"].get(name) != value]
    if others:
        print(f"Not compared: the budgets are those of {', '.join(others)}.")
    failures = 0
    for name, figure in figures.items():
        budget = budgets.get(build, {}).get(name)
        change = "no budget" if budget is None else f"{100 * (figure - budget) / budget:+.1f} %"
        failed = budget is None or figure > budget * (1 + SLACK)
        failures += failed
        print(f"{'FAIL' if failed else 'ok  '}  {name}: {figure:,} ({change})")
    if failures:
        print("Lower the cost, or say in the commit why it is worth it, after: "
              f"python3 Benchmarks/budgets.py {build} {steps} {usher} --write")
    print(f"{len(figures) - failures} passed, {failures} failed")
    return 1 if failures and not others else 0


sys.exit(main(*sys.argv[1:]))
