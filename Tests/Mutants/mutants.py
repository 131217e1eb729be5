#!/usr/bin/env python3
"""Seeds faults into the sources, and reports which test detects each.

    mutants.py check            checks that every fault of faults.py can still be seeded
    mutants.py run [TEXT…]      runs the tests with each fault, or with those whose names contain one of the texts; as many
                                faults at a time as there are processors

All faults are compiled into one build. The environment variable SEEDED_FAULT enables one of them, so that a fault costs
the time of the tests that it names, but no build. Tests with PostgreSQL need TEST_POSTGRES; `script/check mutants` sets
it.
"""
import glob, os, re, shutil, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor
from declarations import declarations, pattern
from faults import FAULTS

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
COPY = os.path.join(ROOT, ".build-mutants", "source")
# A function that is added to every module with faults. It reads the environment once.
IS_SEEDED = """internal import Glibc
private let seededFault = getenv("SEEDED_FAULT").map { Int(atoi($0)) } ?? 0
@inline(never) func isSeeded(_ number: Int) -> Bool { seededFault == number }
"""
# Seconds. A fault may cause a test to hang.
TIMEOUT = 900
# The options of script/support/build.sh.
BUILD_OPTIONS = ["-Xswiftc", "-whole-module-optimization", "-Xswiftc", "-num-threads", "-Xswiftc", "2"]


class Module:
    """The sources of a module by their paths, and their declarations by name, each as (path, start, end)."""

    def __init__(self, name):
        self.sources, self.declarations = {}, {}
        for path in sorted(glob.glob(os.path.join(ROOT, "Sources", name, "**", "*.swift"), recursive=True)):
            path = os.path.relpath(path, ROOT)
            self.sources[path] = read(path).decode()
            try:
                for declaration, start, end in declarations(self.sources[path]):
                    self.declarations.setdefault(declaration, []).append((path, start, end))
            except ValueError as error:
                sys.exit(f"{path}: {error}")

    def places(self, declaration, text):
        """Returns where all declarations of a name contain a text. A type contains its members."""
        return sorted({
            (path, match.start(), match.end())
            for path, start, end in self.declarations.get(declaration, [])
            for match in pattern(text).finditer(self.sources[path], start, end)})

    def owners(self, text):
        """Returns the innermost declarations that contain a text."""
        found = set()
        for path, source in self.sources.items():
            for match in pattern(text).finditer(source):
                owners = [
                    (end - start, name) for name, places in self.declarations.items() for other, start, end in places
                    if other == path and start <= match.start() and match.end() <= end]
                found.update(name for _, name in sorted(owners)[:1])
        return sorted(found)


def read(path):
    with open(os.path.join(ROOT, path), "rb") as file:
        return file.read()


def faults():
    return list(enumerate(FAULTS, start=1))


def locate(fault, module):
    """Returns the place of a fault as (path, start, end), or the reason why it has none."""
    declaration, text = fault["declaration"], fault["original"]
    places = module.places(declaration, text)
    if len(places) == 1:
        return places[0], None
    if places:
        lines = ", ".join(f"{path}:{module.sources[path].count(chr(10), 0, start) + 1}" for path, start, _ in places)
        return None, f"{declaration} contains the text {len(places)} times ({lines}): {text}"
    missing = f"{declaration} does not contain" if declaration in module.declarations else (
        f"the module {fault['module']} has no declaration {declaration} with")
    owners = module.owners(text)[:3]
    return None, f"{missing} the text: {text}" + (f" (found in {', '.join(owners)})" if owners else "")


def edits(number, original, start, mutated):
    """Returns the changes that turn the original text into the mutated one, each as (start, end, order, text).

    A fault that keeps the original text only inserts text around it, so that several faults may concern the same text.
    The order of insertions in one place makes the fault with the lower number the outer one.
    """
    end = start + len(original)
    before, kept, after = mutated.partition(original)
    if kept:
        return [(start, start, number, before), (end, end, -number, after)]
    prefix = len(os.path.commonprefix([original, mutated]))
    rest = min(len(original), len(mutated)) - prefix
    suffix = min(rest, len(os.path.commonprefix([original[::-1], mutated[::-1]])))
    return [(start + prefix, end - suffix, number, mutated[prefix:len(mutated) - suffix])]


def seeded_sources(faults):
    """Returns the changed sources by their paths, and the reasons why faults cannot be seeded."""
    modules, changes, found = {}, {}, []
    for number, fault in faults:
        if fault["module"] not in modules:
            modules[fault["module"]] = Module(fault["module"])
        module = modules[fault["module"]]
        place, reason = locate(fault, module)
        if reason:
            found.append(f"{fault['name']}: {reason}")
            continue
        path, start, end = place
        mutated = fault["mutated"].replace("MUTANT", f"isSeeded({number})")
        changes.setdefault(path, []).extend(edits(number, module.sources[path][start:end], start, mutated))
    sources = {path: text for module in modules.values() for path, text in module.sources.items()}
    names, texts = {number: fault["name"] for number, fault in faults}, {}
    for path, made in changes.items():
        texts[path], overlapping = applied(sources[path], made)
        found += [f"{names[number]}: another fault changes its place" for number in overlapping]
    return texts, found


def applied(source, edits):
    """Returns a source with all changes, and the numbers of the faults whose changes overlap with earlier ones."""
    parts, place, overlapping = [], 0, []
    for start, end, order, replacement in sorted(edits):
        if start < place:
            overlapping.append(abs(order))
            continue
        parts += [source[place:start], replacement]
        place = end
    return "".join(parts) + source[place:], overlapping


def problems(faults):
    """Returns the reasons why faults cannot be seeded: a missing or ambiguous place, a place that another fault changes,
    unknown tests, or a duplicate name."""
    _, found = seeded_sources(faults)
    # A filter of swift-testing matches the names of targets, files, suites and tests.
    paths = glob.glob(os.path.join(ROOT, "Tests", "**", "*.swift"), recursive=True)
    listed = "\n".join(text for path in paths for text in [path, open(path).read()])
    names = set()
    for _, fault in faults:
        if fault["name"] in names:
            found.append(f"{fault['name']}: two faults have this name")
        names.add(fault["name"])
        if "MUTANT" not in fault["mutated"]:
            found.append(f"{fault['name']}: its mutated text does not contain MUTANT")
        for tests in fault["tests"].split("|"):
            if tests not in listed:
                found.append(f"{fault['name']}: no tests match {tests}")
    return found


def seed(faults):
    """Copies the repository with all faults. Unchanged files stay untouched, so that the build skips them."""
    os.makedirs(COPY, exist_ok=True)
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
    names = [name for name in listed.stdout.split("\n") if name and os.path.isfile(os.path.join(ROOT, name))]
    texts = {name: read(name) for name in names}
    for path, text in seeded_sources(faults)[0].items():
        texts[path] = text.encode()
    for _, fault in faults:
        texts[f"Sources/{fault['module']}/SeededFault.swift"] = IS_SEEDED.encode()
    for folder, _, files in os.walk(COPY, topdown=False):
        if os.path.relpath(folder, COPY).startswith(".build"):
            continue
        for file in files:
            if os.path.relpath(os.path.join(folder, file), COPY) not in texts:
                os.unlink(os.path.join(folder, file))
        # A test would take an empty folder for a faulty flow.
        if not os.listdir(folder):
            os.rmdir(folder)
    for name, content in texts.items():
        target = os.path.join(COPY, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(target, "rb").read() != content:
            with open(target, "wb") as file:
                file.write(content)
        if os.path.exists(os.path.join(ROOT, name)):
            shutil.copymode(os.path.join(ROOT, name), target)


def build(*options, **redirection):
    return subprocess.run(["swift", "build", *options, *BUILD_OPTIONS], cwd=COPY, text=True, **redirection)


def tests():
    """Returns the path of the test executable, because `swift test` would spend most of its time on checking the
    build."""
    products = build("--show-bin-path", check=True, stdout=subprocess.PIPE).stdout.strip()
    return os.path.join(products, "usherPackageTests.xctest")


def test(executable, number, pattern):
    """Returns the tests that fail with a fault, or None if all pass."""
    # The backtrace of a crash can hang: a call of a function at address 0 has no frame to begin with. The tests have
    # the parallelization of script/support/build.sh.
    environment = dict(
        os.environ, SEEDED_FAULT=str(number), WALK_SEED="1", WALK_STEPS=os.environ.get("WALK_STEPS", "40000"),
        SWIFT_BACKTRACE="enable=no", SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="16")
    command = [executable, "--testing-library", "swift-testing"] + (["--filter", pattern] if pattern else [])
    try:
        result = subprocess.run(
            command, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return ["the tests hang"]
    output = re.sub(r"\x1b\[\d+m", "", result.stdout)
    if result.returncode == 0:
        if "Test run with 0 tests" in output:
            raise LookupError(f"No tests match {pattern}.")
        return None
    failed = re.findall(r'✘ Test (?:case passing .*? to )?"?((?!run with)[^"\n]+?)"? (?:recorded|failed|with)', output)
    return list(dict.fromkeys(failed)) or [f"the process ended with status {result.returncode}"]


def run(wanted):
    seeded = faults()
    seed(seeded)
    if build("--build-tests").returncode != 0:
        sys.exit("The faults do not compile.")
    executable = tests()
    unseeded = test(executable, 0, None) if not wanted else None
    if unseeded:
        sys.exit(f"Tests fail without a fault: {unseeded}")
    chosen = [
        (number, fault) for number, fault in seeded if not wanted or any(text in fault["name"] for text in wanted)]
    survivors = []

    def run_one(numbered):
        number, fault = numbered
        begin = time.monotonic()
        failed = test(executable, number, fault["tests"])
        seconds = time.monotonic() - begin
        if failed:
            others = f" and {len(failed) - 1} more" if len(failed) > 1 else ""
            print(f"detected  {fault['name']}: {failed[0]}{others} ({seconds:.0f} s)", flush=True)
        else:
            survivors.append(fault["name"])
            print(f"SURVIVED  {fault['name']} ({seconds:.0f} s)", flush=True)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(run_one, chosen))
    print(f"{len(chosen) - len(survivors)} passed, {len(survivors)} failed")
    sys.exit(1 if survivors else 0)


def main(command="", *names):
    os.environ["OPTIMIZED"] = "1"
    found = problems(faults())
    if found:
        sys.exit("\n".join(found))
    if command == "check":
        print(f"{len(faults())} faults can be seeded.")
    elif command == "run":
        run(names)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
