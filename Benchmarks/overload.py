"""What comes of ten times the load that the service can serve: goodput, and how long each kind of answer takes. Called
by script/check overload."""
import argparse, json, os, resource, signal, socket, subprocess, sys, urllib.request


def main():
    parser = argparse.ArgumentParser(prog="script/check overload", description=__doc__)
    parser.add_argument("busy", help="the service whose action takes as long as wanted")
    parser.add_argument("openload", help="the load")
    parser.add_argument("--microseconds", type=int, default=2000, help="of a processor that an action takes")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--connections", type=int, default=1000)
    parser.add_argument("--times", type=float, default=10, help="the load that can be served")
    chosen = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    service = subprocess.Popen(
        [chosen.busy, str(port), str(chosen.microseconds)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        service.stdout.readline()
        targets = [create(port) + "/actions/work" for _ in range(200)]

        def load(connections, rate, seconds):
            command = [chosen.openload, str(port), str(connections), str(rate), str(seconds), *targets]
            before, (stolen_before, all_before) = processor_seconds(), stolen_time()
            run = json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 60).stdout)
            stolen, whole = stolen_time()
            return run | {
                "load": (processor_seconds() - before) / run["seconds"] / os.cpu_count(),
                "stolen": (stolen - stolen_before) / (whole - all_before)}

        best = max((load(connections, 0, chosen.seconds / 2) for connections in (4, 8, 16)), key=goodput)
        peak = goodput(best)
        print(f"peak: {peak:.0f} actions a second, while the host took {best['stolen']:.0%} of the processors")
        run = load(chosen.connections, chosen.times * peak, chosen.seconds)
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(20)
        service.stdout.close()
    good, busy = (run["answers"].get(status, {"count": 0, "p50": 0, "p99": 0, "max": 0}) for status in ("200", "503"))
    sent = run["sent"] / run["seconds"]
    print(f"offered: {sent:.0f} a second, {sent / peak:.1f} times the peak, on {chosen.connections} connections; "
          f"to offer it takes {run['load']:.0%} of the same processors, and the host took {run['stolen']:.0%}")
    print(f"goodput: {goodput(run):.0f} a second, {goodput(run) / peak:.0%} of the peak (target: over 80%)")
    print(f"200: p50 {good['p50'] * 1000:.0f} ms, p99 {good['p99'] * 1000:.0f} ms (target: under 250), longest {good['max'] * 1000:.0f} ms")
    print(f"503: {busy['count']}, p50 {busy['p50'] * 1000:.0f} ms, p99 {busy['p99'] * 1000:.0f} ms (target: under 50), longest {busy['max'] * 1000:.0f} ms")
    others = {status: answer["count"] for status, answer in run["answers"].items() if status not in ("200", "503")}
    print(f"other answers: {others or 'none'}; connections lost: {run['lost']}; the load was late by {run['late'] * 1000:.0f} ms at most")
    sys.exit(1 if others or run["lost"] or not good["count"] or not busy["count"] else 0)


def processor_seconds():
    """Of the processes that have ended: the loads, not the service."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def stolen_time():
    """What the host of a virtual machine gave to others, and all time, of all processors since it started."""
    with open("/proc/stat") as file:
        times = [int(word) for word in file.readline().split()[1:9]]
    return times[7], sum(times)


def create(port):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/sessions", data=b'{"app": "busy"}', headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)["links"]["self"]


def goodput(run):
    return run["answers"].get("200", {"count": 0})["count"] / run["seconds"]


if __name__ == "__main__":
    main()
