"""The commands that read the repository: `check`, `notes` and `tags`."""
import os, unittest
from cases import ReleaseTestCase
from repository import VERSION, VERSION_FILE, Repository


class Check(ReleaseTestCase):
    def setUp(self):
        self.repository = Repository(self)

    def check(self, tag=f"v{VERSION}"):
        return self.repository.release("check", tag)

    def test_a_commit_that_can_be_released_passes(self):
        self.assertIn(f"can be released as v{VERSION}", self.require(self.check()))
        self.require(self.repository.release("check"))
        self.repository.git("tag", "--annotate", "--message", "A tag", f"v{VERSION}")
        self.require(self.check())

    def test_a_prerelease_passes(self):
        self.require(Repository(self, "2.0.0-rc.1").release("check", "v2.0.0-rc.1"))

    def test_another_version_than_that_of_the_sources_fails(self):
        self.require_failure(self.check("v1.4.3"), f"The tag v1.4.3 is not the version in {VERSION_FILE}")

    def test_a_version_that_is_not_semantic_fails(self):
        for version in ("1.4", "1.4.2.1", "01.4.2", "1.4.2+5", "1.4.2-", "latest"):
            result = Repository(self, version).release("check", f"v{version}")
            self.require_failure(result, f"v{version} is not v and a semantic version")
        self.require_failure(self.check("1.4.2"), "is not v and a semantic version", "is not the version in")

    def test_another_version_in_the_contract_fails(self):
        self.repository.replace("openapi.yaml", f"version: {VERSION}", "version: 1.4.1")
        self.repository.commit()
        self.require_failure(self.check(), "openapi.yaml has the version 1.4.1")

    def test_a_section_without_a_date_fails(self):
        for date in ("", " - soon"):
            self.repository.replace("CHANGELOG.md", f"## [{VERSION}] - 2026-01-01", f"## [{VERSION}]{date}")
            self.repository.commit()
            self.require_failure(self.check(), f'no heading "## [{VERSION}] - YYYY-MM-DD"')
            self.repository.replace("CHANGELOG.md", f"## [{VERSION}]{date}", f"## [{VERSION}] - 2026-01-01")

    def test_the_section_of_a_longer_version_is_another_one(self):
        self.repository.replace("CHANGELOG.md", f"## [{VERSION}]", f"## [{VERSION}0]")
        self.repository.commit()
        self.require_failure(self.check(), f'no heading "## [{VERSION}] - YYYY-MM-DD"')

    def test_an_empty_section_fails(self):
        self.repository.replace("CHANGELOG.md", f"## [{VERSION}]", f"## [{VERSION}] - 2026-01-01\n\n## [1.4.1b]")
        self.repository.commit()
        self.require_failure(self.check(), f"The section {VERSION} of CHANGELOG.md is empty")

    def test_unreleased_entries_fail(self):
        self.repository.replace("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n- A change.\n")
        self.repository.commit()
        self.require_failure(self.check(), "CHANGELOG.md has unreleased entries")

    def test_changes_in_the_working_tree_fail(self):
        self.repository.write("note", "")
        self.repository.replace("LICENSE", "Apache", "Other")
        self.require_failure(self.check(), "The working tree has changes", "M LICENSE", "?? note")

    def test_a_tag_of_another_commit_fails(self):
        self.repository.git("tag", f"v{VERSION}")
        self.repository.replace("LICENSE", "Apache", "Other")
        self.repository.commit()
        self.require_failure(self.check(), f"The tag v{VERSION} names the commit")

    def test_all_mistakes_are_reported_at_once(self):
        self.repository.replace("openapi.yaml", f"version: {VERSION}", "version: 1.4.1")
        mistakes = "v2 is not v", "v2 is not the version", "openapi.yaml has", "working tree", "M openapi.yaml"
        self.require_failure(self.check("v2"), *mistakes)

    def test_an_unknown_command_or_a_missing_argument_shows_all_commands(self):
        for arguments in ((), ("publsh",), ("publish",), ("tags", "more")):
            result = self.repository.release(*arguments)
            self.assertEqual(result.returncode, 64)
            self.assertIn("script/release publish FOLDER", result.stderr)


class Notes(ReleaseTestCase):
    """The text of a release on GitHub, which shows line breaks and resolves no relative links."""

    def test_paragraphs_are_lines_and_links_are_absolute(self):
        notes = self.require(Repository(self).release("notes", environment={"GITHUB_REPOSITORY": "example/usher"}))
        self.assertEqual(notes.splitlines(), [
            "A release.", "", "### Added", "",
            "- **Lists** have pages, as "
            f"[Screens](https://github.com/example/usher/blob/v{VERSION}/docs/screens.md#lists) and the "
            "[format](https://keepachangelog.com/en/1.1.0/) describe.",
            "  - An item is a link.",
            "- A command:", "", "  ```sh", "  usher serve \\", "    --port 0", "  ```"])

    def test_outside_of_github_links_stay_relative(self):
        self.assertIn("(docs/screens.md#lists)", self.require(Repository(self).release("notes")))

    def test_a_version_without_entries_fails(self):
        result = Repository(self, changelog="# Changelog\n").release("notes")
        self.require_failure(result, f"CHANGELOG.md has no entries for {VERSION}")


class Tags(ReleaseTestCase):
    """The tags of the image."""

    def tags(self, version, *released):
        repository = Repository(self, version)
        for tag in released:
            repository.git("tag", tag)
        return self.require(repository.release("tags")).split()

    def test_the_highest_version_is_the_latest(self):
        self.assertEqual(self.tags("1.4.2"), ["1.4.2", "1.4", "latest"])
        self.assertEqual(self.tags("1.4.2", "v1.4.2", "v1.4.1", "v1.3.9", "v2.0.0-rc.1"), ["1.4.2", "1.4", "latest"])
        self.assertEqual(self.tags("1.10.0", "v1.9.0"), ["1.10.0", "1.10", "latest"])

    def test_a_correction_of_an_older_version_is_not_the_latest(self):
        self.assertEqual(self.tags("1.4.2", "v1.10.0"), ["1.4.2", "1.4"])
        self.assertEqual(self.tags("1.4.2", "v1.4.10"), ["1.4.2"])
        self.assertEqual(self.tags("1.4.2", "v1.40.0"), ["1.4.2", "1.4"])

    def test_a_prerelease_has_one_tag(self):
        self.assertEqual(self.tags("2.0.0-rc.1"), ["2.0.0-rc.1"])

    def test_a_shallow_clone_fails(self):
        repository, clone = Repository(self), os.path.join(self.folder(), "clone")
        repository.git("commit", "--quiet", "--allow-empty", "--message", "Another commit")
        repository.git("clone", "--quiet", "--depth", "1", f"file://{repository.folder}", clone)
        repository.folder = clone
        self.require_failure(repository.release("tags"), "The clone is shallow")


if __name__ == "__main__":
    unittest.main()
