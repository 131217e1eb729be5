"""Shows 5,000 tickets of a backend in 1,000 sessions of the example app `checkout`, page by page."""
import argparse, json, os, sys, urllib.request
from concurrent.futures import ThreadPoolExecutor
from backend import Backend
from gauges import leaks
from usher import Service

TICKETS, PAGE = 5000, 50


def get(service, path, accept="application/json", wait=0):
    headers = {"Accept": accept, **({"Prefer": f"wait={wait}"} if wait else {})}
    with urllib.request.urlopen(urllib.request.Request(service.address + path, headers=headers), timeout=60) as response:
        content = response.read()
    return json.loads(content) if accept == "application/json" else content.decode()


def start(service):
    return service.request("POST", "/v1/sessions", {"app": "checkout"})["links"]["self"]


def items(view):
    return view["screen"]["content"][0]


def expect(condition, sentence):
    if not condition:
        sys.exit(sentence)


def many_sessions(sessions):
    """Opens many sessions while the backend answers the call of the first one slowly."""
    backend = Backend("--tickets", str(TICKETS))
    service = Service(backend.option)
    backend.fail(count=1, delay=2, path="/tickets")
    with ThreadPoolExecutor(32) as pool:
        paths = list(pool.map(lambda _: start(service), range(sessions)))
        views = list(pool.map(lambda path: get(service, path, wait=20), paths))
    for view in views:
        expect(not view["screen"]["loading"] and items(view)["total"] == TICKETS, "A session lacks its tickets.")
        expect(len(items(view)["items"]) == PAGE, "A view has another number of items than a page.")
    calls = backend.requests()["/tickets"]
    expect(calls == 1, f"The backend was called {calls} times.")
    pages(service, paths[0])
    for path in paths:
        service.request("DELETE", path)
    for leak in leaks(service.port):
        sys.exit(leak)
    print(f"{sessions} sessions with {TICKETS} tickets made one call; {service.resident_kibibytes() // 1024} MiB.")
    service.stop()
    backend.stop()


def pages(service, path):
    """Follows the links through all pages and back, and chooses a ticket of the last page."""
    view, titles = get(service, path), []
    while True:
        titles += [item["title"] for item in items(view)["items"]]
        if not (following := items(view)["links"]["next"]):
            break
        view = get(service, following)
    expect(len(set(titles)) == len(titles) == TICKETS, f"The pages have {len(titles)} tickets.")
    last, count = items(view)["items"][-1], 1
    while previous := items(view)["links"]["previous"]:
        view, count = get(service, previous), count + 1
    expect(count == TICKETS / PAGE, f"The way back has {count} pages.")
    service.request("POST", last["action"]["href"], last["action"]["input"])
    chosen = get(service, path, wait=20)
    expect(chosen["screen"]["title"] == "Your ticket", f"The ticket leads to {chosen['screen']['title']}.")


def away():
    """Shows the problem while the backend is away, in every representation, and tries again once it is back."""
    backend = Backend()
    port = backend.address.rsplit(":", 1)[1]
    backend.stop()
    service = Service(backend.option)
    path = start(service)
    problem = get(service, path, wait=20)["screen"]["problems"][0]
    for accept in ("text/html", "text/plain", "application/json", "application/vnd.siren+json"):
        shown = get(service, path, accept)
        expect(problem["title"] in str(shown), f"{accept} does not show the problem.")
    backend = Backend("--port", port)
    service.request("POST", problem["retry"]["href"])
    view = get(service, path, wait=20)
    expect(not view["screen"]["problems"] and items(view)["total"] == 3, "The retry has not loaded the tickets.")
    service.stop()
    backend.stop()
    print("A backend that is away is a problem in every representation, and the retry loads the tickets.")


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("usher")
parser.add_argument("--sessions", type=int, default=1000)
options = parser.parse_args()
os.environ["USHER"] = options.usher
many_sessions(options.sessions)
away()
