"""A real Prometheus scrapes the service, and is asked all that the dashboard and the alert rules ask. Called by script/check monitoring."""
import json, os, pathlib, re, socket, subprocess, tempfile, threading, time, unittest, urllib.parse, urllib.request

USHER = os.environ["USHER"]
EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Examples" / "Monitoring"
PATIENCE = 30


def get(url, **options):
    with urllib.request.urlopen(urllib.request.Request(url, **options), timeout=5) as answer:
        return answer.read().decode()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def promtool(*command, text=None):
    return subprocess.run(["promtool", *map(str, command)], input=text, capture_output=True, text=True, timeout=60)


class Rules(unittest.TestCase):
    def assert_clean(self, *command):
        result = promtool(*command)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_rules_are_clean(self):
        self.assert_clean("check", "rules", EXAMPLES / "alerts.yaml")

    def test_rules_fire_when_they_should_and_not_otherwise(self):
        self.assert_clean("test", "rules", EXAMPLES / "alerts.test.yaml")

    def test_configuration_is_clean(self):
        self.assert_clean("check", "config", EXAMPLES / "prometheus.yaml")


class Monitoring(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.service = cls.start(
            [USHER, "serve", "--port", "0", "--admin-port", "0", "--store", f"sqlite:{cls.folder.name}/usher.sqlite"],
            stdout=subprocess.PIPE, text=True)
        cls.addClassCleanup(cls.service.stdout.close)
        cls.usher = cls.service.stdout.readline().split()[-1]
        cls.metrics = cls.service.stdout.readline().split()[-1]
        cls.is_busy = True
        cls.user = threading.Thread(target=cls.use)
        cls.user.start()
        cls.addClassCleanup(cls.rest)

    @classmethod
    def start(cls, command, **options):
        process = subprocess.Popen(command, **options)
        cls.addClassCleanup(process.wait, 20)
        cls.addClassCleanup(process.terminate)
        return process

    @classmethod
    def use(cls):
        """Somebody buys, follows what they do, and makes mistakes."""
        while cls.is_busy:
            body = json.dumps({"app": "shop"}).encode()
            headers = {"Content-Type": "application/json"}
            session = json.loads(get(f"{cls.usher}/v1/sessions", data=body, headers=headers))["links"]["self"]
            with urllib.request.urlopen(f"{cls.usher}{session}/events", timeout=5):
                get(f"{cls.usher}{session}/actions/buy", data=b'{"product": 1}', headers=headers)
                for path in ["/nowhere", f"{session}/actions/none"]:
                    try:
                        get(cls.usher + path, data=b"{}", headers=headers)
                    except urllib.error.HTTPError as error:
                        error.close()
                time.sleep(0.05)

    @classmethod
    def rest(cls):
        cls.is_busy = False
        cls.user.join(20)

    def test_metrics_are_clean(self):
        self.wait_until("a request", lambda: "\nusher_http_requests_total{" in get(self.metrics))
        result = promtool("check", "metrics", text=get(self.metrics))
        self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))

    def test_prometheus_scrapes_it_and_answers_every_question(self):
        port = free_port()
        configuration = pathlib.Path(self.folder.name, "prometheus.yaml")
        target = urllib.parse.urlsplit(self.metrics).netloc
        configuration.write_text(
            f"global: {{scrape_interval: 500ms, evaluation_interval: 1s}}\nrule_files: [{EXAMPLES / 'alerts.yaml'}]\n"
            f"scrape_configs: [{{job_name: usher, static_configs: [{{targets: ['{target}']}}]}}]\n")
        self.start([
            "prometheus", f"--config.file={configuration}", f"--storage.tsdb.path={self.folder.name}/data",
            f"--web.listen-address=127.0.0.1:{port}", "--log.level=error"])
        self.prometheus = f"http://127.0.0.1:{port}"
        self.wait_for("up", 'up{job="usher"} == 1')
        self.wait_for("an action", 'sum(usher_actions_total{app="shop", action="buy"}) > 0')
        for title, expression in self.questions_of_the_dashboard():
            with self.subTest(title):
                self.wait_for(title, expression)
        self.assertEqual(len(self.rules()), 9)
        self.wait_until("the rules", lambda: all(rule["health"] == "ok" for rule in self.rules()))
        self.assertEqual([rule["name"] for rule in self.rules() if rule["state"] != "inactive"], [])

    def test_rules_ask_for_what_there_is(self):
        self.wait_until("a request", lambda: "\nusher_http_requests_total{" in get(self.metrics))
        text = get(self.metrics)
        asked = set(re.findall(r"\b((?:usher|process)_\w+)", (EXAMPLES / "alerts.yaml").read_text()))
        self.assertGreater(len(asked), 5)
        for name in asked:
            self.assertIn(f"\n{name}", text)

    def rules(self):
        return json.loads(get(f"{self.prometheus}/api/v1/rules"))["data"]["groups"][0]["rules"]

    def questions_of_the_dashboard(self):
        panels = json.loads((EXAMPLES / "dashboard.json").read_text())["panels"]
        questions = [(panel["title"], target["expr"]) for panel in panels for target in panel["targets"]]
        self.assertGreater(len(questions), 15)
        return [(title, text.replace("$__rate_interval", "5s").replace("$instance", ".*")) for title, text in questions]

    def ask(self, expression):
        query = urllib.parse.urlencode({"query": expression})
        return json.loads(get(f"{self.prometheus}/api/v1/query?{query}"))["data"]["result"]

    def wait_for(self, what, expression):
        """An answer with a number in it."""
        self.wait_until(
            f"{what} ({expression})", lambda: any(row["value"][1] != "NaN" for row in self.ask(expression)))

    def wait_until(self, what, is_so):
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if is_so():
                    return
            except OSError as error:
                last = error
            else:
                last = "no"
            if time.monotonic() > end:
                self.fail(f"{what} did not come to be in {PATIENCE} s: {last}")
            time.sleep(0.2)


if __name__ == "__main__":
    unittest.main()
