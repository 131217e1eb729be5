"""Tests an image and its containers. script/image runs this in a network namespace of its own."""
import gzip, json, os, shutil, subprocess, sys, tempfile, time, unittest

if __name__ == "__main__":
    os.environ["USHER_IMAGE"] = sys.argv.pop(1)

from container import FOLDER, ROOT, Container, Volume, curl


class Usher:
    """The expectations for the image of Usher."""

    name, title = "usher", "Usher"
    app, apps = "shop", ["shop", "tabs"]
    # An action of the first screen with its input, and the titles of the next and of the first screen.
    action, input, next_title, first_title = "buy", {"product": 1}, "Buy", "Home"
    # Input for `play`, and a text that it prints.
    play_input, play_output = "1\\n1\\nq\\n", "You chose Yearly."
    # The program of the backend, and the environment with its address.
    backend, environment = None, ()


class Clinic:
    """The expectations for the image of Examples/Clinic."""

    name, title = "clinic", "Clinic"
    app, apps = "clinic", ["clinic"]
    action, input, next_title, first_title = "find", {"code": "K7Q2"}, "Your appointment", "Check in"
    play_input, play_output = "1\\nK7Q2\\nq\\n", "Dr. Okafor"
    backend, environment = "Examples/Clinic/backend.py", ("USHER_SERVICE=appointments=http://127.0.0.1:8091",)


IMAGE = {"usher": Usher, "clinic": Clinic}[sys.argv.pop(1) if __name__ == "__main__" else "usher"]

SERVICE = "http://127.0.0.1:8080"
MEBIBYTE = 1 << 20
# Bytes. About 3 MiB of the executable are for flow files: their compiler, CEL, and JSON Schema.
MAX_IMAGE_SIZE, MAX_EXECUTABLE_SIZE = 150 * MEBIBYTE, 48 * MEBIBYTE
USER = 10001
# Seconds.
MAX_STOP_DURATION = 5
FLOW = """usher: 1
app: greeting
root: main
coordinators:
  main: {start: [{push: home}]}
screens:
  home:
    content:
      - text: GREETING
      - text: '=string(timestamp("2026-07-01T12:00:00Z").getHours("Europe/Rome"))'
"""


def setUpModule():
    if IMAGE.backend:
        backend = subprocess.Popen([sys.executable, IMAGE.backend], stdout=subprocess.DEVNULL)
        unittest.addModuleCleanup(backend.wait, 20)
        unittest.addModuleCleanup(backend.terminate)


def layers():
    """Yields the size of each layer, unpacked and compressed."""
    def blob(descriptor):
        return os.path.join(FOLDER, "layers", "blobs", *descriptor["digest"].split(":"))

    with open(os.path.join(FOLDER, "layers", "index.json")) as file:
        manifest = json.load(file)["manifests"][0]
    with open(blob(manifest)) as file:
        for layer in json.load(file)["layers"]:
            unpacked = 0
            with gzip.open(blob(layer)) as content:
                while part := content.read(MEBIBYTE):
                    unpacked += len(part)
            yield unpacked, layer["size"]


class Image(unittest.TestCase):
    """The image itself, without a container."""

    @classmethod
    def setUpClass(cls):
        with open(os.path.join(FOLDER, "image.json")) as file:
            cls.config = json.load(file)["Docker"]["config"]

    def test_the_image_and_the_executable_stay_below_their_limits(self):
        sizes = list(layers())
        unpacked, packed = (sum(column) for column in zip(*sizes))
        executable = os.path.getsize(os.path.join(ROOT, "usr/local/bin", IMAGE.name))
        print(
            f"The image: {unpacked / MEBIBYTE:.1f} MiB in {len(sizes)} layers, {packed / MEBIBYTE:.1f} MiB compressed; "
            f"the executable: {executable / MEBIBYTE:.1f} MiB", flush=True)
        self.assertGreater(executable, MEBIBYTE)
        self.assertGreater(unpacked, executable)
        self.assertLessEqual(unpacked, MAX_IMAGE_SIZE)
        self.assertLessEqual(executable, MAX_EXECUTABLE_SIZE)

    def test_the_configuration_and_the_labels_are_complete(self):
        self.assertEqual(self.config["Entrypoint"], [IMAGE.name])
        self.assertEqual(self.config["Cmd"], ["serve"])
        self.assertEqual(self.config["User"], f"{USER}:{USER}")
        self.assertEqual(self.config["ExposedPorts"], {"8080/tcp": {}})
        self.assertEqual(self.config["Volumes"], {"/data": {}})
        self.assertEqual(self.config["Healthcheck"]["Test"], ["CMD", IMAGE.name, "health"])
        self.assertIn("USHER_BIND=0.0.0.0", self.config["Env"])
        self.assertEqual(self.config["WorkingDir"], "/data")
        labels = {name.removeprefix("org.opencontainers.image."): text for name, text in self.config["Labels"].items()}
        self.assertEqual(labels["title"], IMAGE.title)
        self.assertRegex(labels["version"], r"^\d+\.\d+\.\d+(-[\w.-]+)?$")
        self.assertRegex(labels["revision"], r"^[0-9a-f]{40}$")
        self.assertRegex(labels["created"], r"^\d{4}-\d\d-\d\dT")

    def test_the_image_contains_no_files_of_the_build(self):
        for path in (IMAGE.name, "usher.git", "out", "etc/gitconfig", "toolchain", "var/lib/apt/lists/partial"):
            self.assertFalse(os.path.lexists(os.path.join(ROOT, path)), path)
        for folder, _, files in os.walk(ROOT):
            for name in files:
                path = os.path.join(folder, name)
                if not os.path.islink(path) and "/data/" in path:
                    self.fail(f"The volume of the image already contains {path}.")


class Running(unittest.TestCase):
    """Containers of the image."""

    def start(self, volume=None, *command, environment=(), flows=None):
        environment = (*IMAGE.environment, *environment)
        container = Container(volume or self.volume(), *command, environment=environment, flows=flows)
        self.addCleanup(container.close)
        return container

    def volume(self):
        volume = Volume()
        self.addCleanup(shutil.rmtree, volume.folder)
        return volume

    def session(self, service=SERVICE):
        """Returns the URL and the view of a new session after one action."""
        status, view = curl("POST", f"{service}/v1/sessions", {"app": IMAGE.app})
        self.assertEqual(status, 201, view)
        action = next(action for action in view["actions"] if action["name"] == IMAGE.action)
        status, view = curl("POST", service + action["href"], IMAGE.input)
        self.assertEqual((status, view["screen"]["title"]), (200, IMAGE.next_title))
        return service + "/v1/sessions/" + view["session"]["id"], view

    def test_a_container_serves_without_further_configuration(self):
        self.start().wait_until_ready()
        session, view = self.session()
        self.assertEqual(curl("GET", session), (200, view))

    @unittest.skipUnless(IMAGE is Usher, "hosts an app of its own")
    def test_mounted_flows_are_served_and_edits_followed(self):
        flows = tempfile.mkdtemp(dir=FOLDER)
        self.addCleanup(shutil.rmtree, flows)
        os.chmod(flows, 0o755)
        os.mkdir(os.path.join(flows, "greeting"))

        def write(greeting):
            with open(os.path.join(flows, "greeting", "flow.yaml"), "w") as file:
                file.write(FLOW.replace("GREETING", greeting))

        def shown():
            status, view = curl("POST", f"{SERVICE}/v1/sessions", {"app": "greeting"})
            self.assertEqual(status, 201, view)
            return [block["text"] for block in view["screen"]["content"]]

        write("Hello")
        self.start(flows=flows).wait_until_ready()
        # The hour needs the time zones of the image.
        self.assertEqual(shown(), ["Hello", "14"])
        write("Good evening")
        end = time.monotonic() + 10
        while shown() != ["Good evening", "14"]:
            self.assertLess(time.monotonic(), end)
            time.sleep(0.1)

    def test_the_health_check_reports_whether_the_service_is_ready(self):
        container = self.start().wait_until_ready()
        healthy = container.execute(IMAGE.name, "health")
        self.assertEqual(healthy.returncode, 0, healthy.stderr)
        # No service listens on the other port.
        idle = self.start(None, "health", environment=["USHER_PORT=8081"])
        self.assertEqual(idle.process.wait(20), 1, idle.log())

    def test_the_service_is_the_first_process_and_not_root(self):
        container = self.start().wait_until_ready()
        self.assertEqual(os.readlink(f"/proc/{container.pid}/exe"), f"/usr/local/bin/{IMAGE.name}")
        with open(f"/proc/{container.pid}/status") as file:
            status = dict(line.split(":\t", 1) for line in file)
        self.assertEqual(status["NSpid"].split()[-1], "1")
        self.assertEqual(set(status["Uid"].split()), {str(USER)})
        self.assertEqual(set(status["Gid"].split()), {str(USER)})
        self.assertEqual(int(status["CapEff"], 16), 0)
        self.assertEqual(container.execute("id", "-u").stdout.strip(), str(USER))

    def test_the_service_can_write_to_its_volume_alone(self):
        container = self.start().wait_until_ready()
        self.session()
        # Attempts to write to each folder of the root file system and of the volume.
        attempt = 'for folder; do (: >"$folder/attempt") 2>/dev/null && echo "$folder"; done; true'
        folders = container.execute("find", "/", "/data", "-xdev", "-type", "d").stdout.split("\n")[:-1]
        self.assertGreater(len(folders), 100)
        written = container.execute("sh", "-c", attempt, "sh", *folders)
        self.assertEqual((written.returncode, set(written.stdout.split())), (0, {"/data"}), written.stderr)
        # Even with a writable root file system, the user of the service owns no program.
        for folder in ("/", "/usr/local/bin", "/etc"):
            self.assertEqual(os.stat(ROOT + folder).st_uid, 0)

    def test_settings_come_from_the_environment(self):
        volume = self.volume()
        settings = ["USHER_PORT=8082", "USHER_STORE=memory", "USHER_APPS=" + ",".join(IMAGE.apps)]
        self.start(volume, environment=settings).wait_until_ready("http://127.0.0.1:8082")
        self.assertEqual(curl("GET", f"{SERVICE}/readyz")[0], 0)
        self.session("http://127.0.0.1:8082")
        _, apps = curl("GET", "http://127.0.0.1:8082/v1/apps")
        self.assertEqual([app["name"] for app in apps["apps"]], IMAGE.apps)
        self.assertEqual(os.listdir(volume.folder), [])

    def test_settings_come_from_files(self):
        volume = self.volume()
        with open(os.path.join(volume.folder, "store"), "w") as file:
            file.write("memory\n")
        self.start(volume, environment=["USHER_STORE_FILE=/data/store"]).wait_until_ready()
        self.session()
        self.assertEqual(os.listdir(volume.folder), ["store"])

    def test_arguments_replace_the_command(self):
        container = self.start(None, "--version")
        self.assertEqual(container.process.wait(20), 0)
        self.assertRegex(container.log(), r"^\d+\.\d+\.\d+$")

    def test_a_session_outlives_its_container(self):
        volume = self.volume()
        first = self.start(volume).wait_until_ready()
        session, view = self.session()
        self.assertEqual(first.stop()[0], 0)
        self.assertEqual(curl("GET", session)[0], 0)
        self.start(volume).wait_until_ready()
        self.assertEqual(curl("GET", session), (200, view))
        back = curl("POST", session + "/back")
        self.assertEqual((back[0], back[1]["screen"]["title"]), (200, IMAGE.first_title))
        self.assertEqual(os.stat(os.path.join(volume.folder, "usher.sqlite")).st_uid, USER)

    def test_a_container_stops_on_sigterm(self):
        container = self.start().wait_until_ready()
        session, _ = self.session()
        # An open event stream does not delay the stop.
        subscriber = subprocess.Popen(["curl", "-sN", f"{session}/events"], stdout=subprocess.PIPE)
        self.addCleanup(subscriber.wait, 20)
        self.addCleanup(subscriber.kill)
        self.addCleanup(subscriber.stdout.close)
        self.assertEqual(subscriber.stdout.readline(), b"event: view\n")
        code, seconds = container.stop()
        self.assertEqual(code, 0, container.log())
        self.assertLess(seconds, MAX_STOP_DURATION)

    def test_the_client_runs_in_a_container(self):
        container = self.start().wait_until_ready()
        played = container.execute(
            "sh", "-c", f"printf '{IMAGE.play_input}' | {IMAGE.name} play http://127.0.0.1:8080 --app {IMAGE.app}")
        self.assertEqual(played.returncode, 0, played.stderr)
        self.assertIn(IMAGE.play_output, played.stdout)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=1).result
    failed = len(result.failures) + len(result.errors)
    print(f"image: {result.testsRun - failed} passed, {failed} failed", flush=True)
    sys.exit(0 if result.testsRun and not failed else 1)
