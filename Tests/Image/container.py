"""A container of the unpacked image, run as `docker run --read-only` does, and requests to the service in it."""
import json, os, signal, subprocess, tempfile, time, uuid

FOLDER = os.environ["USHER_IMAGE"]
BUNDLE = os.path.join(FOLDER, "bundle")
ROOT = os.path.join(BUNDLE, "rootfs")
# Seconds.
TIMEOUT = 20


def runc(*arguments, **options):
    command = ["runc", "--root", os.path.join(FOLDER, "containers"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, **options)


def curl(method, url, body=None, seconds=5):
    """Returns the status and the JSON of a response. Without a response, the status is 0."""
    command = ["curl", "-sS", "--max-time", str(seconds), "-X", method, "-w", "\n%{http_code}", url]
    if body is not None:
        # The response waits for the effects that the request causes.
        command += ["-H", "Content-Type: application/json", "-H", "Prefer: wait=4", "-d", json.dumps(body)]
    *lines, status = subprocess.run(command, capture_output=True, text=True).stdout.split("\n")
    text = "\n".join(lines)
    return int(status), json.loads(text) if text.startswith("{") else text


class Volume:
    """An empty volume. It has the owner and the mode of the folder in the image, as in a container engine."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(dir=FOLDER)
        owner = os.stat(os.path.join(ROOT, "data"))
        os.chown(self.folder, owner.st_uid, owner.st_gid)
        os.chmod(self.folder, owner.st_mode & 0o7777)


class Container:
    """A container in the network of this process, with a read-only root file system and the volume on /data. A folder of
    flows is mounted on /flows as `-v ./flows:/flows:ro` does."""

    def __init__(self, volume, *command, environment=(), flows=None):
        self.id = f"usher-{uuid.uuid4()}"
        self.output = tempfile.TemporaryFile(mode="w+")
        with open(os.path.join(BUNDLE, "config.json")) as file:
            config = json.load(file)
        process, linux = config["process"], config["linux"]
        process["terminal"] = False
        # The process has fewer privileges than by the defaults of an engine.
        process["noNewPrivileges"] = True
        process["capabilities"] = {}
        # Arguments replace the command of the image, but not its entry point.
        if command:
            process["args"] = [process["args"][0], *command]
        process["env"] += environment
        config["root"] = {"path": ROOT, "readonly": True}
        config["mounts"] = [mount for mount in config["mounts"] if mount["destination"] != "/data"]
        options = ["rbind", "rw", "nosuid", "nodev"]
        config["mounts"].append({"destination": "/data", "type": "bind", "source": volume.folder, "options": options})
        if flows:
            options = ["rbind", "ro", "nosuid", "nodev"]
            config["mounts"].append({"destination": "/flows", "type": "bind", "source": flows, "options": options})
        linux["namespaces"] = [
            each for each in linux["namespaces"] if each["type"] not in ("network", "user", "cgroup")]
        self.config = os.path.join(FOLDER, self.id)
        os.mkdir(self.config)
        with open(os.path.join(self.config, "config.json"), "w") as file:
            json.dump(config, file)
        self.process = subprocess.Popen(
            ["runc", "--root", os.path.join(FOLDER, "containers"), "run", "--bundle", self.config, self.id],
            stdin=subprocess.DEVNULL, stdout=self.output, stderr=subprocess.STDOUT)

    def log(self):
        self.output.seek(0)
        return self.output.read().strip()

    def wait_until_ready(self, address="http://127.0.0.1:8080"):
        """Waits until the service is ready, and returns the container."""
        end = time.monotonic() + TIMEOUT
        while curl("GET", f"{address}/readyz", seconds=1)[0] != 200:
            if time.monotonic() > end or self.process.poll() is not None:
                raise AssertionError(f"The service in the container is not ready: {self.log()}")
            time.sleep(0.05)
        return self

    @property
    def pid(self):
        """The id of the first process of the container outside of the container."""
        return json.loads(runc("state", self.id).stdout)["pid"]

    def execute(self, *command):
        """Runs a command in the container as its user."""
        return runc("exec", self.id, *command)

    def stop(self):
        """Sends SIGTERM to the first process, as `docker stop` does. Returns the exit status and the duration in
        seconds."""
        begin = time.monotonic()
        runc("kill", self.id, "TERM")
        return self.process.wait(TIMEOUT), time.monotonic() - begin

    def close(self):
        """Ends the container in any state."""
        runc("delete", "--force", self.id)
        try:
            self.process.wait(TIMEOUT)
        finally:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.output.close()
