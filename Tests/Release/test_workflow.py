"""The workflow of releases, `.github/workflows/release.yml`."""
import os, re, unittest
import yaml
from repository import ROOT


def read(name):
    with open(os.path.join(ROOT, name)) as file:
        return file.read()


class Workflow(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.ci, cls.workflow = (yaml.safe_load(read(f".github/workflows/{name}.yml")) for name in ("ci", "release"))
        cls.jobs = cls.workflow["jobs"]
        cls.steps = [(name, step) for name, job in cls.jobs.items() for step in job.get("steps", [])]

    def test_every_step_is_a_command_of_the_script_or_moves_files(self):
        used = set()
        for _, step in self.steps:
            if command := step.get("run"):
                used.add(re.fullmatch(r"script/release (\w+)( \S+)?", command)[1])
            else:
                self.assertRegex(step["uses"], "^actions/(checkout|upload-artifact|download-artifact)@")
        commands = set(re.findall(r"^#   script/release (\w+)", read("script/release"), re.M))
        # Other commands call these two.
        self.assertEqual(used, commands - {"notes", "tags"})

    def test_a_job_may_do_only_what_its_commands_need(self):
        self.assertEqual(self.workflow["permissions"], {})
        writing = {
            (name, scope) for name, job in self.jobs.items() for scope, access in job["permissions"].items()
            if access == "write"}
        self.assertEqual(writing, {("build", "packages"), ("manifest", "packages"), ("publish", "contents")})
        with_token = {step["run"].split()[1] for _, step in self.steps if "GITHUB_TOKEN" in step.get("env", {})}
        self.assertEqual(with_token, {"push", "manifest", "publish"})

    def test_nothing_is_pushed_before_the_tests_have_passed(self):
        self.assertEqual(self.jobs["test"]["uses"], "./.github/workflows/ci.yml")
        # YAML 1.1 reads the key `on` as true.
        self.assertIn("workflow_call", self.ci[True])
        self.assertEqual({name: job.get("needs") for name, job in self.jobs.items()}, {
            "check": None, "test": "check", "build": "test", "manifest": "build", "publish": "manifest"})

    def test_the_tests_have_a_concurrency_group_of_their_own(self):
        groups = [workflow["concurrency"]["group"] for workflow in (self.ci, self.workflow)]
        self.assertEqual(groups, ["ci-${{ github.ref }}", "release-${{ github.ref }}"])


if __name__ == "__main__":
    unittest.main()
