"""The base class of the tests, and their steps. BROWSER_JAVASCRIPT=off runs the tests without JavaScript."""
import os, unittest
from user import TIMEOUT, User, eventually


class Case(unittest.TestCase):
    javascript = os.environ.get("BROWSER_JAVASCRIPT") != "off"

    def setUp(self):
        self.user = User(self.javascript)

    def assert_comes(self, title, **expected):
        """Waits for a page as `assert_shows` does, for as long as a backend may take."""
        self.assert_shows(title, seconds=20, **expected)

    def assert_shows(self, title, seconds=TIMEOUT, **expected):
        """Waits for a page with this title, and for the expected properties of the user."""
        def is_shown():
            return self.user.title == title and all(
                getattr(self.user, name) == value for name, value in expected.items())

        if not eventually(is_shown, seconds) and self.user.title != title:
            self.fail(f"The title is {self.user.title!r} instead of {title!r}.\n{self.user.text}")
        for name, value in expected.items():
            self.assertEqual(getattr(self.user, name), value, name)

    def do(self, *steps):
        """Presses buttons, given by a label, and fills fields, given by a label and a value."""
        for step in steps:
            if isinstance(step, tuple):
                self.user.fill(*step)
            else:
                self.user.press(step)
