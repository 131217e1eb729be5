"""The base class of the tests of releases."""
import shutil, tempfile, unittest


class ReleaseTestCase(unittest.TestCase):
    """A test of a command of script/release."""

    def require(self, result):
        """Returns the output of a successful command."""
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def require_failure(self, result, *texts):
        """Requires that a command failed, with the texts in one line of its errors each."""
        self.assertNotEqual(result.returncode, 0, result.stdout)
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), len(texts), result.stderr)
        for line, text in zip(lines, texts):
            self.assertIn(text, line)

    def folder(self):
        """Returns the path of an empty folder."""
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        return folder
