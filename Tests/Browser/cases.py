"""What the tests have in common. Each is done by somebody with JavaScript, and by somebody without, who is in a run of their own."""
import os, unittest
from person import Person, eventually


class Case(unittest.TestCase):
    javascript = os.environ.get("BROWSER_JAVASCRIPT") != "off"

    def setUp(self):
        self.person = Person(self.javascript)

    def shows(self, title, **expected):
        """The page gets to this title; `expected` are properties of the person, as they are then."""
        def is_there():
            return self.person.title == title and all(getattr(self.person, name) == value for name, value in expected.items())

        if not eventually(is_there) and self.person.title != title:
            self.fail(f"The title is {self.person.title!r} and not {title!r}.\n{self.person.text}")
        for name, value in expected.items():
            self.assertEqual(getattr(self.person, name), value, name)

    def do(self, *steps):
        """Presses buttons and fills fields: a label, or a label and a text."""
        for step in steps:
            if isinstance(step, tuple):
                self.person.fill(*step)
            else:
                self.person.press(step)

