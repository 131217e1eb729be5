"""Sends the service ten times the load that it can serve, and measures goodput and the latency of each status."""
import argparse, json, os, resource, signal, socket, subprocess, sys, urllib.request
from gauges import leaks


def main():
    parser = argparse.ArgumentParser(prog="script/check overload")
    parser.add_argument("busy", help="the service, whose action takes a given processor time")
    parser.add_argument("openload", help="the load generator")
    parser.add_argument(
        "--microseconds", type=int, default=2000, help="the processor time of an action (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=10, help="the duration (default: %(default)s)")
    parser.add_argument(
        "--connections", type=int, default=1000, help="the number of connections (default: %(default)s)")
    parser.add_argument(
        "--times", type=float, default=10, help="the load as a multiple of the peak (default: %(default)s)")
    options = parser.parse_args()
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    service = subprocess.Popen(
        [options.busy, str(port), str(options.microseconds)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        service.stdout.readline()
        targets = [create(port) + "/actions/work" for _ in range(200)]

        def load(connections, rate, seconds):
            command = [options.openload, str(port), str(connections), str(rate), str(seconds), *targets]
            before, (stolen_before, all_before) = processor_seconds(), stolen_time()
            run = json.loads(
                subprocess.run(command, capture_output=True, text=True, check=True, timeout=seconds + 60).stdout)
            stolen, whole = stolen_time()
            return run | {
                "load": (processor_seconds() - before) / run["seconds"] / os.cpu_count(),
                "stolen": (stolen - stolen_before) / (whole - all_before)}

        best = max((load(connections, 0, options.seconds / 2) for connections in (4, 8, 16)), key=goodput)
        peak = goodput(best)
        print(f"peak: {peak:.0f} actions a second, with {best['stolen']:.0%} of the processors stolen by the host")
        run = load(options.connections, options.times * peak, options.seconds)
        leaked = leaks(port)
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(20)
        service.stdout.close()
    good, busy = (run["answers"].get(status, {"count": 0, "p50": 0, "p99": 0, "max": 0}) for status in ("200", "503"))
    sent = run["sent"] / run["seconds"]
    print(f"offered: {sent:.0f} a second, {sent / peak:.1f} times the peak, on {options.connections} connections; "
          f"the load generator used {run['load']:.0%} of the same processors, and the host stole {run['stolen']:.0%}")
    print(f"goodput: {goodput(run):.0f} a second, {goodput(run) / peak:.0%} of the peak (target: over 80%)")
    print(f"200: {latencies(good, 250)}")
    print(f"503: {busy['count']}, {latencies(busy, 50)}")
    others = {status: answer["count"] for status, answer in run["answers"].items() if status not in ("200", "503")}
    print(
        f"other responses: {others or 'none'}; connections lost: {run['lost']}; "
        f"largest delay of the load generator: {run['late'] * 1000:.0f} ms")
    for fault in leaked:
        print(fault)
    sys.exit(1 if others or leaked or run["lost"] or not good["count"] or not busy["count"] else 0)


def latencies(response, target):
    """Describes latencies, with a target for the 99th percentile in milliseconds."""
    p50, p99, longest = (f"{response[name] * 1000:.0f} ms" for name in ("p50", "p99", "max"))
    return f"p50 {p50}, p99 {p99} (target: under {target}), longest {longest}"


def processor_seconds():
    """Returns the processor time of the child processes that have ended: the load generators, not the service."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def stolen_time():
    """Returns the time that the host withheld from all processors since the boot, and their total time."""
    with open("/proc/stat") as file:
        times = [int(word) for word in file.readline().split()[1:9]]
    return times[7], sum(times)


def create(port):
    """Creates a session, and returns its path."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/sessions", data=b'{"app": "busy"}', headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)["links"]["self"]


def goodput(run):
    """Returns the successful responses a second."""
    return run["answers"].get("200", {"count": 0})["count"] / run["seconds"]


if __name__ == "__main__":
    main()
