"""Edits a flow while clients act, and looks for lost actions, failed requests and leaks."""
import argparse, json, os, random, sys, tempfile, threading, time
from gauges import IDLE, read_gauges, settle
from stress import add_options, run_on_stores
from usher import Client, Service

# Faults that the check must detect: an action that is lost, and a session that never ends.
SEEDED_FAULTS = ("action", "session")
# The definitions that the service keeps in memory although no session needs them.
KEPT_DEFINITIONS = 64
FLOW = """\
usher: 1
app: errand
version: {version}
carry: {carry}
root: errand

coordinators:
  errand:
    state: {{steps: {{type: integer, default: 0}}}}
    start: [{{push: street}}]
    fills: {{street: {{steps: =steps, version: {version}}}}}
    handles:
      walk: [{{set: {{steps: =steps + 1}}}}]
      rest: [{{push: bench}}, {{schedule: rested, after: 1s}}]
    timers: {{rested: [{{pop: 1}}]}}

screens:
  street:
    data: {{steps: {{type: integer}}, version: {{type: integer}}}}
    actions: {{walk: , rest: }}
  bench:
    title: Bench
"""


def parse_arguments():
    parser = argparse.ArgumentParser(prog="script/check edits")
    parser.add_argument("usher", help="the executable")
    parser.add_argument("--edits", type=int, default=200, help="the edits on each store (default: %(default)s)")
    parser.add_argument("--clients", type=int, default=8, help="the number of clients (default: %(default)s)")
    add_options(parser, SEEDED_FAULTS)
    return parser.parse_args()


class Walker(threading.Thread):
    """A client that walks through one session after the other, and counts its steps."""

    def __init__(self, port, seed, loses_action=False, leaves_session=False):
        super().__init__(daemon=True)
        self.client, self.choices = Client(port), random.Random(seed)
        self.loses_action, self.leaves_session = loses_action, leaves_session
        self.is_over, self.responses, self.sessions, self.failures = threading.Event(), 0, 0, []

    def run(self):
        try:
            while not self.is_over.is_set():
                self.walk()
        except Exception as error:  # The report names it.
            self.failures.append(repr(error))
        self.client.close()

    def request(self, method, path, expected, body=None, headers={}):
        status, text = self.client.request(method, path, body, headers)
        self.responses += 1
        if status != expected:
            raise AssertionError(f"{method} {path} has the status {status}: {text}")
        return json.loads(text) if text else None

    def walk(self):
        self.sessions += 1
        path = self.request("POST", "/v1/sessions", 201, {"app": "errand"})["links"]["self"]
        steps = 1 if self.loses_action else 0
        for _ in range(self.choices.randrange(5, 60)):
            if self.is_over.is_set():
                break
            if self.choices.random() < 0.03:
                self.rest(path)
            view = self.request("POST", path + "/actions/walk", 200)
            steps += 1
            if view["screen"]["data"]["steps"] != steps:
                raise AssertionError(f"{path} has {view['screen']['data']['steps']} steps instead of {steps}.")
            time.sleep(self.choices.random() / 50)
        if not self.leaves_session:
            self.request("DELETE", path, 204)

    def rest(self, path):
        """Waits for a timer, which may become due in another definition."""
        self.request("POST", path + "/actions/rest", 200)
        end = time.monotonic() + 30
        while self.request("GET", path, 200)["screen"]["name"] == "bench":
            if time.monotonic() > end:
                raise AssertionError(f"The timer of {path} is not due after 30 s.")
            time.sleep(0.1)

    def end(self):
        self.is_over.set()
        self.join(60)


class Editor:
    """Saves the flow as editors do: at once, in two halves, with a fault, or as a version that takes sessions over."""

    def __init__(self, folder, port, seed):
        self.path, self.client, self.choices = f"{folder}/errand/flow.yaml", Client(port), random.Random(seed)
        self.version, self.carried, self.delays = 1, 0, []
        self.counts = dict.fromkeys(("replaced", "halves", "broken", "carrying"), 0)

    def edit(self):
        kind = self.choices.choice(list(self.counts))
        self.counts[kind] += 1
        if kind == "broken":
            self.replace(FLOW.format(version=self.version + 1, carry="[]").replace("push: street", "push: sreet"))
            # Until the service has read it.
            time.sleep(0.6)
        self.version += 1
        text = FLOW.format(version=self.version, carry=list(range(1, self.version)) if kind == "carrying" else "[]")
        if kind == "halves":
            self.write(text[:len(text) // 2])
            time.sleep(self.choices.random() / 2)
            self.write(text)
        else:
            self.replace(text)
        self.wait_for_version()

    def write(self, text):
        with open(self.path, "w") as file:
            file.write(text)

    def replace(self, text):
        with open(self.path + "~", "w") as file:
            file.write(text)
        os.replace(self.path + "~", self.path)

    def wait_for_version(self):
        """Creates sessions until one has the version, and notes how long that took."""
        begin = time.monotonic()
        while True:
            status, text = self.client.request("POST", "/v1/sessions", {"app": "errand"})
            assert status == 201, text
            view = json.loads(text)
            self.client.request("DELETE", view["links"]["self"])
            if view["screen"]["data"]["version"] == self.version:
                return self.delays.append(time.monotonic() - begin)
            assert time.monotonic() < begin + 30, f"The version {self.version} is not served after 30 s."
            time.sleep(0.02)


def run(options, name, store, edits, seeded_fault):
    """Runs the check on one store. Returns whether it passed."""
    with tempfile.TemporaryDirectory(prefix="usher-edits-") as folder:
        os.mkdir(f"{folder}/errand")
        with open(f"{folder}/errand/flow.yaml", "w") as file:
            file.write(FLOW.format(version=1, carry="[]"))
        service = Service(
            "--apps", "none", "--flows", folder, "--log-level", "critical", store=store, executable=options.usher)
        try:
            return check(options, name, service, folder, edits, seeded_fault)
        finally:
            service.stop()


def check(options, name, service, folder, edits, seeded_fault):
    def gauges():
        read = read_gauges(service.port, "process_open_fds", "usher_flow_faults", "usher_flow_definitions_live")
        return read | {"threads": service.thread_count(), "sessions of flows": sessions_of_flows(service)}

    start, faults = settle(gauges, IDLE)
    editor = Editor(folder, service.port, options.seed)
    walkers = [
        Walker(
            service.port, options.seed + number, loses_action=seeded_fault == "action" and number == 0,
            leaves_session=seeded_fault == "session" and number == 0) for number in range(options.clients)]
    for walker in walkers:
        walker.start()
    for _ in range(edits):
        editor.edit()
    for walker in walkers:
        walker.end()
    editor.client.close()
    # Warm pools: a thread and a connection of the store for each client.
    allowed = {
        **start, "usher_flow_definitions_live": KEPT_DEFINITIONS + 1, "threads": start["threads"] + 16,
        "process_open_fds": start["process_open_fds"] + 16}
    end, leaks = settle(gauges, allowed)
    failures = faults + leaks + [text for walker in walkers for text in walker.failures]
    responses, sessions = (sum(getattr(walker, name) for walker in walkers) for name in ("responses", "sessions"))
    delays = sorted(editor.delays)
    kinds = ", ".join(f"{kind} {count}" for kind, count in editor.counts.items())
    print(f"{name}: {edits} edits ({kinds}), {sessions} sessions, {responses} responses")
    print(f"  served after {delays[len(delays) // 2]:.2f} s (median), {delays[-1]:.2f} s at most")
    print(f"  gauges: {', '.join(f'{gauge} {value}' for gauge, value in end.items())}")
    for failure in failures[:5]:
        print(f"  FAULT: {failure}")
    sys.stdout.flush()
    return not failures and responses > 0


def sessions_of_flows(service):
    return sum(definition["sessions"] for definition in service.request("GET", "/v1/definitions")["definitions"])


if __name__ == "__main__":
    options = parse_arguments()
    sys.exit(run_on_stores(run, options, options.edits, SEEDED_FAULTS))
