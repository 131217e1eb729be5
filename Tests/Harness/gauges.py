"""The gauges of a service, which every stress test finds back at their initial values."""
import re, time
from usher import Client

# The values of the gauges while the client that reads them is the only one.
IDLE = {
    "usher_http_connections": 1, "usher_http_requests_in_flight": 1, "usher_http_requests_suspended": 0,
    "usher_http_requests_waiting": 0, "usher_http_handlers_abandoned": 0, "usher_listeners": 0,
    "usher_work_in_progress": 0, "usher_event_channels": 0}
# Seconds. Longer than the interval of keep-alives, at which a stream notices that its client has gone, and shorter than
# the timeout of suspended requests, which would end a leaked one.
TIMEOUT = 20


def read_gauges(port, *others):
    """Returns the gauges of `IDLE` and other gauges by name."""
    client = Client(port)
    status, text = client.request("GET", "/metrics")
    client.close()
    assert status == 200, text
    return {name: int(float(re.search(rf"^{name} (\S+)$", text, re.M)[1])) for name in (*IDLE, *others)}


def settle(read, start=IDLE):
    """Waits until the gauges that `read` returns are back at their initial values. Returns the gauges, and a fault for
    each one that does not return in time."""
    end = time.monotonic() + TIMEOUT
    while True:
        gauges = read()
        wrong = [name for name in start if gauges[name] > start[name] or name in IDLE and gauges[name] < start[name]]
        if not wrong or time.monotonic() > end:
            return gauges, [f"{name} is {gauges[name]} after {TIMEOUT} s instead of {start[name]}." for name in wrong]
        time.sleep(0.2)


def leaks(port):
    """Returns a fault for each gauge of a service that does not return to its idle value in time."""
    return settle(lambda: read_gauges(port))[1]
