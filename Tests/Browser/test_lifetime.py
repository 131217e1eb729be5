"""The warning of the end of a session with an idle limit. It comes two seconds after a change."""
import os, tempfile
from axe import AxeCase
from cases import Case
from usher import Service
from user import eventually

FLOW = """\
usher: 1
app: brief
life: {idle: 1m, warning: 59s}
root: main
coordinators:
  main:
    start: [{push: home}]
    handles: {note: []}
screens:
  home:
    title: Home
    actions: {note: {title: Note}}
"""


class BriefService(Service):
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        os.mkdir(os.path.join(self.folder.name, "brief"))
        with open(os.path.join(self.folder.name, "brief", "flow.yaml"), "w") as file:
            file.write(FLOW)
        super().__init__("--flows", self.folder.name, "--apps", "none")

    def close(self):
        self.kill()
        self.folder.cleanup()


class LifetimeCase(Case):
    @classmethod
    def setUpClass(cls):
        cls.service = BriefService()
        cls.addClassCleanup(cls.service.close)

    def setUp(self):
        super().setUp()
        self.user.driver.get(self.service.address + "/")
        self.do("Start Brief")
        self.assert_shows("Home")

    def is_warned(self):
        return self.user.driver.find_element("id", "ending").is_displayed()

    def wait_for_warning(self):
        def warns():
            # Without JavaScript, people see the warning on the next page.
            if not self.javascript:
                self.user.driver.refresh()
            return self.is_warned()

        self.assertTrue(eventually(warns))


class Lifetime(LifetimeCase):
    def test_people_stay_in_a_session_that_is_about_to_end(self):
        self.assertFalse(self.is_warned())
        for _ in range(2):
            self.wait_for_warning()
            self.assertIn("This session ends at ", self.user.alert)
            if self.javascript:
                self.user.click("Extend the session")
            else:
                self.do("Extend the session")
            self.assertTrue(eventually(lambda: not self.is_warned()))
        body = self.user.driver.find_element("tag name", "body")
        self.assertEqual(body.get_attribute("data-revision"), "1")

    def test_an_action_takes_the_warning_away(self):
        self.wait_for_warning()
        self.do("Note")
        self.assertTrue(eventually(lambda: not self.is_warned()))


class LifetimeAccessibility(LifetimeCase, AxeCase):
    def test_axe_accepts_the_warning(self):
        self.wait_for_warning()
        self.check("lifetime")
