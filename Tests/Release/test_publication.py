"""The commands that call Docker and GitHub, whose programs `recorder.py` takes the place of."""
import json, os, unittest
from cases import ReleaseTestCase
from recorder import DIGEST
from repository import CREATED, ROOT, VERSION, Repository

IMAGE = "ghcr.io/example/usher"
DIGESTS = {"aarch64": "sha256:" + "a" * 64, "x86_64": DIGEST}


class Publication(ReleaseTestCase):
    def setUp(self):
        self.output, self.records = self.folder(), self.folder()
        for program in ("docker", "gh"):
            os.symlink(os.path.join(ROOT, "Tests/Release/recorder.py"), os.path.join(self.records, program))
        self.write_index("linux/amd64", "unknown/unknown", "linux/arm64", "unknown/unknown")

    def write(self, folder, name, content):
        with open(os.path.join(folder, name), "w") as file:
            file.write(content)

    def write_index(self, *platforms):
        """Writes the index that the registry has."""
        platforms = [dict(zip(("os", "architecture"), platform.split("/"))) for platform in platforms]
        self.write(self.records, "index.json", json.dumps({"manifests": [{"platform": each} for each in platforms]}))

    def write_digests(self, *architectures):
        """Writes the output of `push`."""
        for architecture in architectures:
            self.write(self.output, f"{architecture}.digest", DIGESTS[architecture] + "\n")
        self.write(self.output, "labels.json", '{"org.opencontainers.image.title": "Usher"}')

    def write_archives(self, version, *architectures):
        """Writes the output of `archive`."""
        for architecture in architectures:
            self.write(self.output, f"usher-{version}-linux-{architecture}.tar.gz", architecture)

    def release(self, repository, *arguments, **variables):
        variables = {
            "PATH": f"{self.records}:{os.environ['PATH']}", "RECORDER": self.records,
            "GITHUB_REPOSITORY": "Example/Usher", "GITHUB_ACTOR": "someone", "GITHUB_TOKEN": "secret"} | variables
        return repository.release(*arguments, environment=variables)

    def call(self, *words):
        """Returns the arguments of the last call that begins with the words."""
        with open(os.path.join(self.records, "calls")) as file:
            calls = [json.loads(line) for line in file]
        return [call[len(words):] for call in calls if call[:len(words)] == list(words)][-1]

    def publish(self, version, *released):
        """Publishes a release beside others, and returns the arguments of the call."""
        repository = Repository(self, version)
        for tag in released:
            repository.git("tag", tag)
        self.write_archives(version, "aarch64", "x86_64")
        self.require(self.release(repository, "checksums", self.output))
        self.require(self.release(repository, "publish", self.output))
        return self.call("gh", "release", "create")

    def test_the_image_has_its_labels_and_is_started(self):
        repository = Repository(self)
        self.require(self.release(repository, "image"))
        build = self.call("docker", "buildx", "build")
        for argument in (
                f"VERSION={VERSION}", f"REVISION={repository.git('rev-parse', 'HEAD')}", f"CREATED={CREATED}", "--load",
                "org.opencontainers.image.source=https://github.com/Example/Usher"):
            self.assertIn(argument, build)
        self.assertIn("--read-only", self.call("docker", "run"))
        self.assertEqual(self.call("docker", "rm")[-1], "container")

    def test_the_image_is_pushed_by_digest_with_attestations(self):
        self.require(self.release(Repository(self), "push", self.output))
        self.assertEqual(self.call("docker", "login"), ["ghcr.io", "--username", "someone", "--password-stdin"])
        build = self.call("docker", "buildx", "build")
        self.assertNotIn("--tag", build)
        for option, argument in (("--provenance", "mode=max"), ("--sbom", "true")):
            self.assertEqual(build[build.index(option) + 1], argument)
        output = build[build.index("--output") + 1].split(",")
        for part in (f"name={IMAGE}", "push=true", "push-by-digest=true"):
            self.assertIn(part, output)
        with open(os.path.join(self.output, f"{os.uname().machine}.digest")) as file:
            self.assertEqual(file.read(), f"{DIGEST}\n")

    def test_an_index_of_both_architectures_has_the_tags(self):
        self.write_digests("aarch64", "x86_64")
        sources = ["--annotation", "index:org.opencontainers.image.title=Usher", *(
            f"{IMAGE}@{digest}" for digest in DIGESTS.values())]
        for version, tags in ((VERSION, (VERSION, "1.4", "latest")), ("2.0.0-rc.1", ("2.0.0-rc.1",))):
            output = self.require(self.release(Repository(self, version), "manifest", self.output))
            options = [argument for tag in tags for argument in ("--tag", f"{IMAGE}:{tag}")]
            self.assertEqual(self.call("docker", "buildx", "imagetools", "create"), [*options, *sources])
            self.assertEqual(output.splitlines()[-len(tags):], [f"{IMAGE}:{tag}" for tag in tags])

    def test_an_index_without_an_architecture_fails(self):
        self.write_digests("x86_64")
        self.require_failure(self.release(Repository(self), "manifest", self.output), "aarch64.digest is missing")
        self.write_digests("aarch64")
        self.write_index("linux/amd64")
        self.require_failure(self.release(Repository(self), "manifest", self.output), "has images for linux/amd64, and")

    def test_the_name_of_the_image_can_be_another_one(self):
        self.write_digests("aarch64", "x86_64")
        self.require(self.release(
            Repository(self), "manifest", self.output, RELEASE_IMAGE="localhost:5000/usher", GITHUB_REPOSITORY=""))
        self.assertIn("localhost:5000/usher:latest", self.call("docker", "buildx", "imagetools", "create"))
        self.require_failure(
            self.release(Repository(self), "manifest", self.output, GITHUB_REPOSITORY=""), "Set RELEASE_IMAGE or")

    def test_a_push_without_a_token_fails(self):
        self.require_failure(
            self.release(Repository(self), "push", self.output, GITHUB_TOKEN=""), "GITHUB_TOKEN is empty")

    def test_a_release_has_the_notes_the_archives_and_the_checksums(self):
        call = self.publish(VERSION)
        self.assertEqual(call[0], f"v{VERSION}")
        self.assertEqual([os.path.basename(path) for path in call[-3:]], [
            "SHA256SUMS", f"usher-{VERSION}-linux-aarch64.tar.gz", f"usher-{VERSION}-linux-x86_64.tar.gz"])
        self.assertTrue({"--verify-tag", "--latest=true", f"Usher {VERSION}"} <= set(call), call)
        self.assertNotIn("--prerelease", call)
        with open(os.path.join(self.records, "notes.md")) as file:
            notes = file.read()
        self.assertIn("### Added", notes)
        self.assertNotIn("An older change", notes)

    def test_a_prerelease_and_a_correction_are_not_the_latest(self):
        call = self.publish("2.0.0-rc.1")
        self.assertTrue({"--prerelease", "--latest=false"} <= set(call), call)
        call = self.publish(VERSION, "v1.5.0")
        self.assertIn("--latest=false", call)
        self.assertNotIn("--prerelease", call)

    def test_a_missing_archive_and_a_changed_one_fail(self):
        repository = Repository(self)
        self.write_archives(VERSION, "x86_64")
        self.require_failure(self.release(repository, "checksums", self.output), "linux-aarch64.tar.gz is missing")
        self.write_archives(VERSION, "aarch64")
        self.require(self.release(repository, "checksums", self.output))
        self.write(self.output, f"usher-{VERSION}-linux-x86_64.tar.gz", "other bytes")
        result = self.release(repository, "publish", self.output)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn(f"usher-{VERSION}-linux-x86_64.tar.gz: FAILED", result.stdout)


if __name__ == "__main__":
    unittest.main()
