"""Lets a real Prometheus scrape the service, and evaluates the dashboard and the alert rules of Examples/Monitoring."""
import json, pathlib, re, subprocess, tempfile, threading, time, unittest, urllib.parse, urllib.request
from processes import free_port
from usher import Service

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Examples" / "Monitoring"
# Seconds.
TIMEOUT = 30


def get(url, **options):
    with urllib.request.urlopen(urllib.request.Request(url, **options), timeout=5) as response:
        return response.read().decode()


def promtool(*command, text=None):
    return subprocess.run(["promtool", *map(str, command)], input=text, capture_output=True, text=True, timeout=60)


class Files(unittest.TestCase):
    """The files of Examples/Monitoring alone."""

    def assert_passes(self, *command):
        result = promtool(*command)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_promtool_accepts_the_rules(self):
        self.assert_passes("check", "rules", EXAMPLES / "alerts.yaml")

    def test_the_rules_fire_as_their_tests_specify(self):
        self.assert_passes("test", "rules", EXAMPLES / "alerts.test.yaml")

    def test_promtool_accepts_the_configuration(self):
        self.assert_passes("check", "config", EXAMPLES / "prometheus.yaml")


class Monitoring(unittest.TestCase):
    """A service in use, and a Prometheus that scrapes it."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        service = Service("--admin-port", "0", store=f"sqlite:{cls.folder.name}/usher.sqlite")
        cls.addClassCleanup(service.stop)
        cls.usher = service.address
        cls.metrics = service.read_address()
        cls.is_busy = True
        cls.user = threading.Thread(target=cls.use_service)
        cls.user.start()
        cls.addClassCleanup(cls.end_use)

    @classmethod
    def use_service(cls):
        """Buys in sessions, subscribes to their events, performs effects, and sends requests that fail."""
        while cls.is_busy:
            body = json.dumps({"app": "shop"}).encode()
            headers = {"Content-Type": "application/json"}
            session = json.loads(get(f"{cls.usher}/v1/sessions", data=body, headers=headers))["links"]["self"]
            gallery = json.dumps({"app": "gallery"}).encode()
            working = json.loads(get(f"{cls.usher}/v1/sessions", data=gallery, headers=headers))["links"]["self"]
            get(f"{cls.usher}{working}/actions/background", data=b"{}", headers=headers)
            get(f"{cls.usher}{working}/actions/work", data=b'{"seconds": 0, "fails": false}', headers=headers)
            with urllib.request.urlopen(f"{cls.usher}{session}/events", timeout=5):
                get(f"{cls.usher}{session}/actions/buy", data=b'{"product": 1}', headers=headers)
                for path in ["/nowhere", f"{session}/actions/none"]:
                    try:
                        get(cls.usher + path, data=b"{}", headers=headers)
                    except urllib.error.HTTPError as error:
                        error.close()
                time.sleep(0.05)

    @classmethod
    def end_use(cls):
        cls.is_busy = False
        cls.user.join(20)

    def test_promtool_accepts_the_metrics(self):
        self.wait_until("a request is counted", lambda: "\nusher_http_requests_total{" in get(self.metrics))
        result = promtool("check", "metrics", text=get(self.metrics))
        self.assertEqual((result.returncode, result.stdout + result.stderr), (0, ""))

    def test_prometheus_evaluates_every_query_of_the_dashboard_and_every_rule(self):
        port = free_port()
        configuration = pathlib.Path(self.folder.name, "prometheus.yaml")
        target = urllib.parse.urlsplit(self.metrics).netloc
        configuration.write_text(
            f"global: {{scrape_interval: 500ms, evaluation_interval: 1s}}\nrule_files: [{EXAMPLES / 'alerts.yaml'}]\n"
            f"scrape_configs: [{{job_name: usher, static_configs: [{{targets: ['{target}']}}]}}]\n")
        prometheus = subprocess.Popen([
            "prometheus", f"--config.file={configuration}", f"--storage.tsdb.path={self.folder.name}/data",
            f"--web.listen-address=127.0.0.1:{port}", "--log.level=error"])
        self.addCleanup(prometheus.wait, 20)
        self.addCleanup(prometheus.terminate)
        self.prometheus = f"http://127.0.0.1:{port}"
        self.wait_for("the first scrape", 'up{job="usher"} == 1')
        self.wait_for("an action", 'sum(usher_actions_total{app="shop", action="buy"}) > 0')
        for title, expression in self.dashboard_queries():
            with self.subTest(title):
                self.wait_for(title, expression)
        self.assertEqual(len(self.rules()), 12)
        self.wait_until("all rules are healthy", lambda: all(rule["health"] == "ok" for rule in self.rules()))
        self.assertEqual([rule["name"] for rule in self.rules() if rule["state"] != "inactive"], [])

    def test_the_rules_use_existing_metrics(self):
        self.wait_until("a request is counted", lambda: "\nusher_http_requests_total{" in get(self.metrics))
        text = get(self.metrics)
        names = set(re.findall(r"\b((?:usher|process)_\w+)", (EXAMPLES / "alerts.yaml").read_text()))
        self.assertGreater(len(names), 5)
        for name in names:
            self.assertIn(f"\n{name}", text)

    def rules(self):
        return json.loads(get(f"{self.prometheus}/api/v1/rules"))["data"]["groups"][0]["rules"]

    def dashboard_queries(self):
        panels = json.loads((EXAMPLES / "dashboard.json").read_text())["panels"]
        queries = [(panel["title"], target["expr"]) for panel in panels for target in panel["targets"]]
        self.assertGreater(len(queries), 15)
        return [(title, text.replace("$__rate_interval", "5s").replace("$instance", ".*")) for title, text in queries]

    def query(self, expression):
        query = urllib.parse.urlencode({"query": expression})
        return json.loads(get(f"{self.prometheus}/api/v1/query?{query}"))["data"]["result"]

    def wait_for(self, name, expression):
        """Waits until the result of a query contains a number."""
        self.wait_until(
            f"{name} has a value ({expression})",
            lambda: any(row["value"][1] != "NaN" for row in self.query(expression)))

    def wait_until(self, condition, holds):
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                if holds():
                    return
            except OSError as error:
                last = error
            else:
                last = "it does not hold"
            if time.monotonic() > end:
                self.fail(f"Timeout after {TIMEOUT} s of waiting until {condition}: {last}")
            time.sleep(0.2)


if __name__ == "__main__":
    unittest.main()
