"""The console for engineers: its pages of sessions and apps."""
import unittest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from axe import AxeCase
from cases import Case
from user import eventually
from service import SERVICE


def start(app, *steps):
    """Starts a session, takes these steps, and returns its path."""
    path = SERVICE.request("POST", "/v1/sessions", {"app": app})["links"]["self"]
    for step, body in steps:
        SERVICE.request("POST", f"{path}/{step}", body)
    return path


def start_at_sign_in():
    """Starts a session of `bank` with a modal over its tabs."""
    return start("bank", ("actions/transfer", {}))


class ConsoleSteps:
    """The steps of tests of the console."""

    def find(self, text):
        self.user.driver.get(SERVICE.console)
        self.do(("Key, id or address", text), "Find")

    def follow(self, link):
        eventually(lambda: self.user.driver.find_element(By.LINK_TEXT, link).click() or True)

    def assert_at(self, revision, screen):
        """Waits for a page of this revision that contains a screen with this title."""
        def is_shown():
            return self.user.all("#revision") == [revision] and self.user.all(".screen-title")[-1:] == [screen]
        self.assertTrue(eventually(is_shown), f"{self.user.all('#revision')} {self.user.all('.screen-title')}")

    def boxes(self, kind):
        """Returns the titles of boxes in the diagram."""
        return self.user.all(f".box.{kind} text:not(.small)")


class Console(ConsoleSteps, Case):
    def test_a_session_is_found_by_its_address(self):
        self.find(SERVICE.address + start_at_sign_in())
        self.assert_at("Revision 2 of 2", "Sign in")
        self.assertEqual(self.boxes("node"), ["bank", "accounts", "inbox", "sign-in"])
        self.assertEqual(self.boxes("entry"), ["sign-in", "tab bar", "accounts", "inbox"])
        self.assertEqual(self.boxes("entry.shown"), ["sign-in"])
        self.assertEqual(len(self.user.all(".joint")), 4)

    def test_earlier_revisions_can_be_shown(self):
        self.find(start("shop", ("actions/buy", {"product": 1}), ("actions/pay", {}), ("tabs/learn", None)))
        self.assert_at("Revision 4 of 4", "Lessons")
        self.follow("Earlier")
        self.assert_at("Revision 3 of 4", "Home")
        self.follow("2")
        self.assert_at("Revision 2 of 4", "Buy")
        self.assertEqual(self.boxes("entry.shown"), ["buy"])
        self.follow("First")
        self.assert_at("Revision 1 of 4", "Home")
        self.follow("Now")
        self.assert_at("Revision 4 of 4", "Lessons")

    def test_the_list_leads_to_sessions(self):
        start("tabs")
        driver = self.user.driver
        driver.get(SERVICE.console)
        self.do(("App", "tabs"), ("Status", "active"), "Show")
        self.assertTrue(eventually(lambda: "app=tabs" in driver.current_url))
        self.assertEqual(set(self.user.all("tbody td:nth-child(2)")), {"tabs"})
        driver.find_element(By.CSS_SELECTOR, "tbody a").click()
        self.assertTrue(eventually(lambda: self.user.title.startswith("Session ")))
        self.follow("tabs")
        self.assertTrue(eventually(lambda: self.user.title == "Tabs"))

    def test_an_app_has_a_graph(self):
        start("pages", ("actions/next", {}))
        self.user.driver.get(SERVICE.console + "/apps/pages")
        self.assertEqual(self.user.all(".card .name"), ["first", "second", "third"])
        self.assertIn("next: first to second", " ".join(self.user.all(".step title")))

    def test_the_console_needs_only_the_keyboard(self):
        path = start("shop", ("actions/buy", {"product": 1}))
        self.user.driver.get(SERVICE.console)
        self.user.tab_to("Key, id or address")
        self.user.key(path, Keys.ENTER)
        self.assert_at("Revision 2 of 2", "Buy")
        self.user.tab_to("Earlier")
        self.user.key(Keys.ENTER)
        self.assert_at("Revision 1 of 2", "Home")
        self.user.tab_to("The state, as it is kept")
        self.user.key(Keys.ENTER)
        self.assertTrue(eventually(lambda: self.user.driver.find_element(By.CSS_SELECTOR, "#state pre").is_displayed()))

    @unittest.skipUnless(Case.javascript, "without JavaScript a page does not change")
    def test_the_diagram_follows_the_session(self):
        path = start("shop")
        self.find(path)
        self.assert_at("Revision 1 of 1", "Home")
        self.user.driver.find_element(By.CSS_SELECTOR, "details#state summary").click()
        field = self.user.driver.find_element(By.ID, "find")
        field.send_keys("half a ")
        SERVICE.request("POST", path + "/actions/buy", {"product": 1})
        self.assert_at("Revision 2 of 2", "Buy")
        self.assertEqual(self.boxes("entry.shown"), ["buy"])
        # A status message announces the revision without interrupting the user.
        self.assertEqual(self.user.all("#news"), ["Revision 2 of 2"])
        self.assertTrue(self.user.driver.find_element(By.CSS_SELECTOR, "#state pre").is_displayed())
        field.send_keys("key")
        self.assertEqual(field.get_attribute("value"), "half a key")
        SERVICE.request("DELETE", path)
        self.assertTrue(eventually(lambda: self.user.title == "Session expired"))


class ConsoleAxe(ConsoleSteps, AxeCase):
    def test_axe_accepts_the_list_of_sessions(self):
        start("shop")
        self.user.driver.get(SERVICE.console)
        self.check("console-sessions")
        self.user.driver.get(SERVICE.console + "?app=shop&screen=nowhere")
        self.check("console-nothing")

    def test_axe_accepts_a_session(self):
        self.find(start_at_sign_in())
        self.assert_at("Revision 2 of 2", "Sign in")
        for summary in self.user.driver.find_elements(By.TAG_NAME, "summary"):
            summary.click()
        self.check("console-session-open")
        self.follow("First")
        self.assert_at("Revision 1 of 2", "Accounts")
        self.check("console-past")

    def test_axe_accepts_a_modal_over_tabs(self):
        self.find(start_at_sign_in())
        self.assert_at("Revision 2 of 2", "Sign in")
        self.check("console-session")

    def test_axe_accepts_a_prompt(self):
        self.find(start("bank", ("actions/transfer", {}), ("actions/sign-in", {"pin": "1234"}),
                        ("actions/next", {"to": "bob"}), ("back", None)))
        self.assert_at("Revision 5 of 5", "Amount")
        self.check("console-question")

    def test_axe_accepts_the_graphs_of_apps(self):
        for app in ("pages", "shop", "tabs", "bank", "checkout", "gallery"):
            self.user.driver.get(f"{SERVICE.console}/apps/{app}")
            self.check(f"console-{app}")

    def test_axe_accepts_a_problem(self):
        self.user.driver.get(SERVICE.console + "/sessions/nope")
        self.check("console-problem")
