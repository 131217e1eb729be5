"""The service, started for the tests and ended with them."""
import atexit, json, os, subprocess, urllib.parse, urllib.request


class Service:
    def __init__(self):
        command = [os.environ["USHER"], "serve", "--port", "0", "--store", "memory", "--console", "127.0.0.1:0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        atexit.register(self.stop)
        self.address = self.process.stdout.readline().split()[-1]
        self.console = self.process.stdout.readline().split()[-1]

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()

    def ask(self, path, method="GET", body=None):
        """What the service answers in JSON."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)

    def submit(self, path, typed):
        """Where a form leads to."""
        data = urllib.parse.urlencode(typed).encode()
        request = urllib.request.Request(self.address + path, data, {"Accept": "text/html"})
        with urllib.request.urlopen(request, timeout=10) as response:
            return response.url

    def delete(self, path):
        with urllib.request.urlopen(urllib.request.Request(self.address + path, method="DELETE"), timeout=10) as response:
            assert response.status == 204


SERVICE = Service()
