#!/usr/bin/env python3
"""Seeds faults into the sources, one at a time, and finds out which test notices each.

    mutants.py check                 says whether every fault of faults.py still has its place
    mutants.py run [NAME…]           runs the tests on each fault, or on those whose names contain one of the texts

All faults are compiled into one build, each behind a condition that SEEDED_FAULT switches on, so that a fault costs the time of its tests
and no build. The tests that a fault names run first, then all of them. TEST_POSTGRES is passed on; script/check mutants starts a server.
"""
import glob, os, re, shutil, subprocess, sys, time
from faults import FAULTS

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
COPY = os.path.join(ROOT, ".build-mutants", "source")
# A name that is in every module, and reads the environment once.
SUPPORT = """internal import Glibc
private let seededFault = getenv("SEEDED_FAULT").map { Int(atoi($0)) } ?? 0
@inline(never) func isSeeded(_ number: Int) -> Bool { seededFault == number }
"""
# A fault may keep a test waiting for ever.
PATIENCE = 900
# As script/test builds.
OPTIMIZED = ["-Xswiftc", "-whole-module-optimization", "-Xswiftc", "-num-threads", "-Xswiftc", "2"]


def faults():
    return list(enumerate(FAULTS, start=1))


def problems(faults):
    """What keeps a fault from being seeded: its place is gone or not the only one, its tests are gone, or a name stands twice."""
    names, found = set(), []
    # A filter matches the names of targets, files, suites and tests.
    paths = glob.glob(os.path.join(ROOT, "Tests", "**", "*.swift"), recursive=True)
    listed = "\n".join(text for path in paths for text in [path, open(path).read()])
    for _, fault in faults:
        if fault["name"] in names:
            found.append(f"{fault['name']}: the name stands twice")
        names.add(fault["name"])
        path = os.path.join(ROOT, fault["file"])
        count = open(path).read().count(fault["original"]) if os.path.exists(path) else 0
        if count != 1:
            found.append(f"{fault['name']}: its original is {count} times in {fault['file']}")
        if "MUTANT" not in fault["mutated"]:
            found.append(f"{fault['name']}: nothing switches it on")
        for tests in fault["tests"].split("|"):
            if tests not in listed:
                found.append(f"{fault['name']}: there are no {tests}")
    return found


def seed(faults):
    """Copies the repository with all faults in it; what is the same stays untouched, for the build."""
    os.makedirs(COPY, exist_ok=True)
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
    texts = {}
    for name in listed.stdout.split("\n"):
        path = os.path.join(ROOT, name)
        if name and os.path.isfile(path):
            texts[name] = open(path, "rb").read()
    for number, fault in faults:
        text = texts[fault["file"]].decode()
        if fault["original"] not in text:
            sys.exit(f"{fault['name']}: another fault is in its place")
        texts[fault["file"]] = text.replace(fault["original"], fault["mutated"].replace("MUTANT", f"isSeeded({number})")).encode()
        module = "/".join(fault["file"].split("/")[:2])
        texts[f"{module}/SeededFault.swift"] = SUPPORT.encode()
    for folder, _, files in os.walk(COPY):
        for file in files:
            name = os.path.relpath(os.path.join(folder, file), COPY)
            if not name.startswith(".build") and name not in texts:
                os.unlink(os.path.join(folder, file))
    for name, content in texts.items():
        target = os.path.join(COPY, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(target, "rb").read() != content:
            with open(target, "wb") as file:
                file.write(content)
        if os.path.exists(os.path.join(ROOT, name)):
            shutil.copymode(os.path.join(ROOT, name), target)


def build(*options, **redirection):
    return subprocess.run(["swift", "build", *options, *OPTIMIZED], cwd=COPY, text=True, **redirection)


def tests():
    """The executable with all tests: `swift test` would spend most of its time on finding out that nothing is to be built."""
    products = build("--show-bin-path", check=True, stdout=subprocess.PIPE).stdout.strip()
    return os.path.join(products, "usherPackageTests.xctest")


def test(executable, number, pattern):
    """The tests that fail with a fault; None where all pass."""
    environment = dict(os.environ, SEEDED_FAULT=str(number), WALK_SEED="1", WALK_STEPS=os.environ.get("WALK_STEPS", "40000"))
    command = [executable, "--testing-library", "swift-testing"] + (["--filter", pattern] if pattern else [])
    try:
        result = subprocess.run(
            command, cwd=COPY, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return ["the tests do not end"]
    output = re.sub(r"\x1b\[\d+m", "", result.stdout)
    if result.returncode == 0:
        if "Test run with 0 tests" in output:
            sys.exit(f"No test is called {pattern}.")
        return None
    failed = re.findall(r'✘ Test (?:case passing .*? to )?"?((?!run with)[^"\n]+?)"? (?:recorded|failed|with)', output)
    return list(dict.fromkeys(failed)) or [f"the process ends with {result.returncode}"]


def twice(executable, number):
    """The tests that fail with a fault in each of two runs of all of them: one may fail for another reason, such as a busy machine."""
    first = test(executable, number, None)
    second = first and test(executable, number, None)
    return [name for name in first if name in second] if second else None


def run(wanted):
    seeded = faults()
    seed(seeded)
    if build("--build-tests").returncode != 0:
        sys.exit("The faults do not compile.")
    executable = tests()
    unseeded = test(executable, 0, None) if not wanted else None
    if unseeded:
        sys.exit(f"Without a fault, tests fail: {unseeded}")
    chosen = [(number, fault) for number, fault in seeded if not wanted or any(text in fault["name"] for text in wanted)]
    survivors = []
    for number, fault in chosen:
        begin = time.monotonic()
        failed = test(executable, number, fault["tests"]) or twice(executable, number)
        seconds = time.monotonic() - begin
        if failed:
            print(f"caught    {fault['name']}: {failed[0]}{f' and {len(failed) - 1} more' if len(failed) > 1 else ''} ({seconds:.0f} s)", flush=True)
        else:
            survivors.append(fault["name"])
            print(f"SURVIVED  {fault['name']} ({seconds:.0f} s)", flush=True)
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


main(*sys.argv[1:])
