"""A copy of the files that a release reads, in a repository of its own."""
import os, re, shutil, subprocess, tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
VERSION_FILE = "Sources/UsherHost/UsherVersion.swift"
FILES = (VERSION_FILE, "openapi.yaml", "LICENSE", "README.md", "script/release")
VERSION = "1.4.2"
# The time of every commit, in seconds since 1970 and as in the label of the image.
TIME, CREATED = 1767225600, "2026-01-01T00:00:00+00:00"
CHANGELOG = """# Changelog

## [Unreleased]

## [1.4.2] - 2026-01-01

A release.

### Added

- **Lists** have pages, as [Screens](docs/screens.md#lists) and the
  [format](https://keepachangelog.com/en/1.1.0/) describe.
  - An item is a link.
- A command:

  ```sh
  usher serve \\
    --port 0
  ```

## [1.4.1] - 2025-12-01

- An older change.

[1.4.2]: https://example.com/1.4.2
"""
# Variables of the machine must not change the results.
ENVIRONMENT = {
    name: text for name, text in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "GH_", "RELEASE_"))
} | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
for each in ("AUTHOR", "COMMITTER"):
    ENVIRONMENT |= {
        f"GIT_{each}_NAME": "Test", f"GIT_{each}_EMAIL": "test@example.com", f"GIT_{each}_DATE": f"{TIME} +0000"}


class Repository:
    """A repository with one commit, ready to be released as `v` and the version."""

    def __init__(self, test, version=VERSION, changelog=CHANGELOG):
        self.folder = tempfile.mkdtemp()
        test.addCleanup(shutil.rmtree, self.folder)
        for path in FILES:
            os.makedirs(os.path.join(self.folder, os.path.dirname(path)), exist_ok=True)
            shutil.copy(os.path.join(ROOT, path), os.path.join(self.folder, path))
        current = re.search('usherVersion = "(.*)"', self.read(VERSION_FILE))[1]
        for path in (VERSION_FILE, "openapi.yaml"):
            self.replace(path, current, version)
        self.write("CHANGELOG.md", changelog.replace(VERSION, version))
        # The check has installed the packages already.
        os.mkdir(self.path("script/support"))
        self.write("script/support/install", "#!/bin/sh\n")
        os.chmod(self.path("script/support/install"), 0o755)
        self.git("init", "--quiet")
        self.commit()

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self, name):
        with open(self.path(name)) as file:
            return file.read()

    def write(self, name, content):
        with open(self.path(name), "w") as file:
            file.write(content)

    def replace(self, name, old, new):
        """Replaces the first occurrence of a text in a file."""
        content = self.read(name)
        assert old in content, f"{name} does not contain {old!r}."
        self.write(name, content.replace(old, new, 1))

    def git(self, *arguments):
        command = ["git", "-C", self.folder, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout.strip()

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "A commit")

    def release(self, *arguments, environment=(), **options):
        """Runs a command of `script/release`."""
        return subprocess.run(
            [self.path("script/release"), *arguments], capture_output=True, text=True, timeout=120,
            env=ENVIRONMENT | dict(environment), **options)
