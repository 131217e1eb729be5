"""The service that all tests of a process share."""
import json, tempfile, time
from gauges import leaks
from usher import Service


class SharedService(Service):
    def __init__(self):
        super().__init__(errors=tempfile.TemporaryFile())
        self.library_version = self.logged_value("libmicrohttpd")

    def logged_value(self, key):
        """Returns the first value of a key in the log. A separate thread writes the log, so a line may follow the
        address."""
        self.address  # Waits until the service is ready.
        end = time.monotonic() + 10
        while time.monotonic() < end:
            for line in self.log().split("\n")[:-1]:
                if key in (entry := json.loads(line)):
                    return entry[key]
            time.sleep(0.01)
        raise AssertionError(f"The log of the service has no {key}.")

    def assert_no_leaks(self):
        """Fails the test unless all gauges return to their idle values."""
        if found := leaks(self.port):
            raise AssertionError(" ".join(found))

    def new_session(self):
        """Returns the id of a new session of `shop`, whose tabs can be selected in any state and without input."""
        return self.request("POST", "/v1/sessions", {"app": "shop"})["session"]["id"]

    def action_count(self, session):
        """Returns the number of actions on a session."""
        return self.request("GET", f"/v1/sessions/{session}")["session"]["revision"] - 1


SERVICE = SharedService()
