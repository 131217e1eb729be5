"""The service that all tests of a process share."""
import urllib.parse, urllib.request
from backend import Backend
from usher import Service


class SharedService(Service):
    def __init__(self):
        self.backend = Backend()
        super().__init__("--console", "127.0.0.1:0", self.backend.option)
        self.address  # The first URL that the service prints.
        self.console = self.read_address()

    def submit(self, path, values):
        """Submits a form as a browser does, and returns the URL of the page that follows."""
        data = urllib.parse.urlencode(values).encode()
        request = urllib.request.Request(self.address + path, data, {"Accept": "text/html"})
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.url


SERVICE = SharedService()
