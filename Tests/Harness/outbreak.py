"""The service with the journey `Tests/Flows/cases/outbreak`, whose backend is away."""
import os, shutil, tempfile
from usher import Service

FLOW = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Flows", "cases", "outbreak")


class OutbreakService(Service):
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        shutil.copytree(FLOW, os.path.join(self.folder.name, "outbreak"))
        super().__init__("--flows", self.folder.name, "--service=authority=http://127.0.0.1:9")

    def close(self):
        self.kill()
        self.folder.cleanup()
