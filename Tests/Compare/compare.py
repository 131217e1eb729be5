"""Walks through every app of two executables with the same requests, and compares their responses byte for byte."""
import argparse, json, os, random, re, sys, tempfile, time
from parts import run_parts
from processes import end_on_signals
from usher import Client, Service

TYPES = ("application/json", "text/html", "text/plain", "application/vnd.siren+json")
LOCALES = ("en", "de", "fr-CH")
STRAYS = (
    ("POST", "/actions/no-such-action", {}), ("POST", "/tabs/no-such-tab", None), ("POST", "/back", None),
    ("POST", "/dismiss", None), ("POST", "/open", {"link": "/nowhere"}), ("POST", "/no-such-operation", None),
    ("GET", "/history", None), ("PUT", "", {}))
SAMPLES = {
    "email": "ann@example.com", "uri": "https://a.example", "date": "2026-11-25", "date-time": "2026-11-25T09:30:00Z",
    "time": "09:30"}
TEXTS = ("Ann", "a", "12345678", "x" * 20, "Zoë \"<&", "2026-11-25", "09:30", "+49 30 1234", " ", "7", "ABC123")
# The differences of two runs of one executable: ids, times, idempotency keys, and signatures by a random secret.
VARIABLE = re.compile(
    rb'/v1/sessions/[A-Za-z0-9_-]{16,}|"(id|requestId)": ?"[A-Za-z0-9_-]+"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z'
    rb'|\?code=[A-Za-z0-9._-]+|nonce-[A-Za-z0-9+/=_-]+|nonce="[^"]*"|name="key" value="[^"]*"')
SENTENCES = re.compile(rb'"(title|detail|message|reason|error)": ?"(\\.|[^"\\])*"|<title>[^<]*')


def parse_arguments():
    parser = argparse.ArgumentParser(prog="script/check compare")
    parser.add_argument("base", help="the executable before a change")
    parser.add_argument("usher", help="the executable after it")
    parser.add_argument("--walks", type=int, default=100, help="the walks through each app (default: %(default)s)")
    parser.add_argument("--steps", type=int, default=20, help="the steps of each walk (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32), help="repeats the choices of a run")
    parser.add_argument("--apps", choices=("swift", "flows"), help="one kind of app only; both by default")
    return parser.parse_args()


class Pair:
    """The same session of two services."""

    def __init__(self, services):
        self.clients = [Client(service.port) for service in services]
        self.paths = ["", ""]

    def send(self, method, path, body=None, headers={}):
        """Sends a request to both, and returns their responses."""
        responses = []
        for index, client in enumerate(self.clients):
            status, text = client.request(method, self.paths[index] + path, body, headers)
            responses.append((status, text.encode()))
        return responses

    def read(self, headers):
        """Returns the views once the work that has no delay is done."""
        end = time.monotonic() + 5
        while True:
            responses = self.send("GET", "", None, headers)
            if same(responses) and not any(b'"kind":"effect"' in body for _, body in responses):
                return responses
            if time.monotonic() > end:
                return responses
            time.sleep(0.002)


def plain(response):
    status, body = response
    body = VARIABLE.sub(b"*", body)
    return status, SENTENCES.sub(b"*", body) if status >= 400 else body


def same(responses):
    return plain(responses[0]) == plain(responses[1])


def value(schema, choices):
    """Returns a value for a field: mostly a valid one."""
    kinds = schema.get("type", "string")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if choices.random() < 0.1:
        return choices.choice([None, "", 1, True, [], {}, "x" * 5000, 1e9, -1, "é"])
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return choices.choice(schema["enum"])
    if "array" in kinds:
        options = schema.get("items", {}).get("enum") or ["a"]
        return choices.sample(options, choices.randint(0, min(len(options), schema.get("maxItems", 9))))
    if "boolean" in kinds:
        return choices.random() < 0.5
    if "integer" in kinds or "number" in kinds:
        low = schema.get("minimum", schema.get("exclusiveMinimum", 0))
        return choices.randint(int(low), int(min(schema.get("maximum", low + 50), low + 50)))
    return SAMPLES.get(schema.get("format")) or choices.choice(TEXTS)


def requests_of(view, choices):
    """Returns the requests that a view offers."""
    offered = []
    asked = view.get("prompt")
    actions = asked["actions"] if asked else view["actions"]
    for action in actions:
        if action["enabled"]:
            fields = action["input"]["properties"]
            required = action["input"].get("required", [])
            names = [name for name in fields if name in required or choices.random() < 0.5]
            offered.append(("POST", f"/actions/{action['name']}", {name: value(fields[name], choices) for name in names}))
    navigation = view["navigation"]
    if navigation.get("back"):
        offered.append(("POST", "/back", None))
    if navigation.get("dismiss"):
        offered.append(("POST", "/dismiss", None))
    bar = navigation.get("tabs")
    while bar:
        offered += [("POST", f"/tabs/{tab['name']}", None) for tab in bar["items"]]
        bar = bar.get("outer")
    return offered


class Difference(Exception):
    pass


def walk(pair, app, seed, steps):
    choices = random.Random(seed)
    locale = choices.choice(LOCALES)
    headers = {"Accept-Language": locale}
    for index, client in enumerate(pair.clients):
        pair.paths[index] = ""
    trail = [f"app {app}, locale {locale}"]
    compared = 0

    def check(responses, what):
        nonlocal compared
        compared += 1
        if not same(responses):
            texts = [json.dumps([status, body.decode(errors="replace")]) for status, body in map(plain, responses)]
            raise Difference("\n".join([*trail, what, *texts]))

    created = pair.send("POST", "/v1/sessions", {"app": app}, headers)
    check(created, "creation")
    if created[0][0] != 201:
        return compared
    pair.paths = [json.loads(body)["links"]["self"] for _, body in created]
    for _ in range(steps):
        read = pair.read(headers)
        check(read, "GET")
        if choices.random() < 0.3:
            kind = choices.choice(TYPES)
            check(pair.send("GET", "", None, {**headers, "Accept": kind}), kind)
        if read[0][0] != 200:
            break
        offered = requests_of(json.loads(read[0][1]), choices)
        if not offered or choices.random() < 0.1:
            offered = [choices.choice(STRAYS)]
        request = choices.choice(offered)
        trail.append(str(request))
        accept = choices.choice(TYPES) if choices.random() < 0.1 else "application/json"
        responses = pair.send(*request, {**headers, "Accept": accept})
        # Work in the background may end before one of the responses only.
        if {status for status, _ in responses} != {200}:
            check(responses, "response")
    return compared


def main():
    options = parse_arguments()
    end_on_signals()
    if not options.apps:
        print(f"Seed {options.seed}", flush=True)
        return 0 if run_parts(*(("--apps", kind, "--seed", str(options.seed)) for kind in ("swift", "flows"))) else 1
    flows = [] if options.apps == "swift" else ["--apps", "none", "--flows", "Examples/Flows"]
    with tempfile.TemporaryFile() as log:
        services = [Service(*flows, executable=program, errors=log) for program in (options.base, options.usher)]
        pair = Pair(services)
        texts = [pair.clients[i].request("GET", "/openapi.yaml") for i in (0, 1)]
        differences, compared = 0 if texts[0] == texts[1] else 1, 0
        if differences:
            print("openapi.yaml differs")
        apps = json.loads(pair.clients[0].request("GET", "/v1/apps")[1])["apps"]
        for app in [app["name"] for app in apps]:
            before = compared
            for number in range(options.walks):
                try:
                    compared += walk(pair, app, f"{options.seed}/{app}/{number}", options.steps)
                except Difference as difference:
                    differences += 1
                    if differences < 4:
                        print(difference)
            print(f"{app}: {options.walks} walks, {compared - before} responses", flush=True)
    print(f"{options.apps}: {compared} pairs of responses, {differences} differences")
    return 1 if differences else 0


sys.exit(main())
