"""Measures what compiled flows cost: the memory of a definition, and the growth of the time of a compilation.

    definitions.py USHER

The memory is what the service takes for each further edit of a flow, as a multiple of the size of its file. The growth
is the processor time of `usher check` for a flow of twice the size: 2 means that the time is in proportion.
"""
import json, os, re, resource, subprocess, sys, tempfile, time, urllib.request

EDITS = 8
START = "usher: 1\napp: large\nroot: main\ncoordinators:\n  main:\n    start: [push: home]\n"
HOME = "screens:\n  home: {title: Home, actions: {next: {title: Next}}}\n"


def lines(count, line):
    return "".join(line.format(n=n, next=n + 1) + "\n" for n in range(count))


def coordinators(count):
    return (
        START + "    handles:\n      next:\n" + lines(count, "        - start: c{n}")
        + lines(count, "  c{n}: {{start: [push: s{n}], handles: {{go-{n}: [finish]}}}}") + HOME
        + lines(count, "  s{n}: {{title: S, actions: {{go-{n}: {{title: Go}}}}}}"))


def steps(count):
    return (
        START + "    state: {n: {type: integer, default: 0}}\n    handles:\n      next:\n"
        + lines(count, "        - do: s{n}") + "    steps:\n" + lines(count, "      s{n}: [set: {{n: =n + 1}}]") + HOME)


def operations(count):
    return (
        START + "    handles:\n      next:\n" + lines(count, "        - perform: shop.o{n}\n          detached: true")
        + HOME + "services:\n  shop:\n" + lines(count, "    o{n}: {{get: /o{n}}}"))


def write(folder, text):
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/new", "w") as file:
        file.write(text)
    os.rename(f"{folder}/new", f"{folder}/flow.yaml")
    return len(text.encode())


def check_time(usher, folder, text):
    write(folder, text)
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([usher, "check", folder], check=True, capture_output=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def memory_factor(usher, folder, shape):
    """Returns the memory of a definition as a multiple of the size of its file."""
    text = shape(1000) if shape is coordinators else shape(2000)
    write(f"{folder}/large", text)
    service = subprocess.Popen(
        [usher, "serve", "--port", "0", "--apps", "none", "--flows", folder, "--store", "memory", "--service",
         "shop=http://127.0.0.1:9", "--log-level", "critical"], stdout=subprocess.PIPE, text=True)
    try:
        address = service.stdout.readline().split()[-1]
        resident, digest = [], None
        for edit in range(EDITS):
            size = write(f"{folder}/large", f"{text}# edit {edit}\n")
            while (found := definition(address)) == digest:
                time.sleep(0.1)
            digest = found
            time.sleep(1)
            status = open(f"/proc/{service.pid}/status").read()
            resident.append(int(re.search(r"VmRSS:\s+(\d+)", status)[1]) * 1024)
        return (resident[-1] - resident[1]) / (EDITS - 2) / size
    finally:
        service.terminate()
        service.wait()


def definition(address):
    with urllib.request.urlopen(f"{address}/v1/apps/large") as response:
        return json.load(response)["definition"]


def main(usher):
    with tempfile.TemporaryDirectory() as folder:
        for shape in (coordinators, steps, operations):
            empty, small, large = (check_time(usher, f"{folder}/check", shape(count)) for count in (1, 1000, 2000))
            factor = memory_factor(usher, f"{folder}/{shape.__name__}", shape)
            print(f"{shape.__name__}: memory {factor:.0f} times the file, time {(large - empty) / (small - empty):.1f} "
                  f"times for twice the size ({large:.2f} s)")


main(sys.argv[1])
