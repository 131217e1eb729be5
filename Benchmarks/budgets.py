"""Compares costs that do not depend on the speed of the machine with the budgets in budgets.json.

    budgets.py BUILD STEPS USHER [--write]

BUILD names the section of the file: `release`, or `test` for the optimized debug build of script/test. STEPS and USHER
are the executables of that build. A figure more than 3 % above its budget fails. A commit that increases a cost writes
the new figures with --write, and gives the reason.

The budgets apply to one toolchain and its libraries, which the file names. With others, the figures are printed but not
compared.
"""
import concurrent.futures, json, os, re, subprocess, sys, tempfile
from callgrind import action_cost, run, without_debug_information

HERE = os.path.dirname(os.path.abspath(__file__))
FILE = os.path.join(HERE, "budgets.json")
SLACK = 0.03
CREATED = 10_000
# Two pages as a journey, and the same as screens without one.
PAGES, SCREENS = ["journey", "journey/check"], ["screens", "screens/check"]


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
        kinds = [(app, *part) for app in ("pages", "shop") for part in parts]
        kinds += [(app, "read", "memory") for app in ("plain-items", "items")]
        if build == "release":
            kinds += [("flow/shop", part, "memory") for part in ("serve", "respond")]
            kinds += [(f"flow/{app}", "respond", "memory") for app in PAGES + SCREENS]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            names = [f"instructions an action: {', '.join(kind)}" for kind in kinds]
            costs = pool.map(lambda kind: action_cost(stripped, *kind, folder), kinds)
            figures |= zip(names, (round(sum(cost.values())) for cost in costs))
        if build == "release":
            flow, app = (figures[f"instructions an action: {app}, respond, memory"] for app in ("flow/shop", "shop"))
            figures["instructions of shop as a flow to those in Swift"] = round(flow / app, 2)
            for journey, screens in zip(PAGES, SCREENS):
                cost, other = (
                    figures[f"instructions an action: flow/{app}, respond, memory"] for app in (journey, screens))
                figures[f"instructions of {journey} to those of {screens}"] = round(cost / other, 2)
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
