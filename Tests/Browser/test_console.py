"""The console: what an engineer sees of sessions and apps, in a browser."""
import unittest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from axe import AxeCase
from cases import Case
from person import eventually
from service import SERVICE


def start(app, *steps):
    """The path of a session that has taken these steps."""
    path = SERVICE.ask("/v1/sessions", "POST", {"app": app})["links"]["self"]
    for step, given in steps:
        SERVICE.ask(f"{path}/{step}", "POST", given)
    return path


def start_at_sign_in():
    """A session of the bank with a modal over its tabs."""
    return start("bank", ("actions/transfer", {}))


class Engineer:
    """What tests of the console do and see, beside what any person does."""

    def find(self, text):
        self.person.driver.get(SERVICE.console)
        self.do(("Key, id or address", text), "Find")

    def follow(self, link):
        eventually(lambda: self.person.driver.find_element(By.LINK_TEXT, link).click() or True)

    def is_at(self, revision, screen):
        """The page gets to this revision, with this title of the screen in it."""
        def seen():
            return self.person.all("#revision") == [revision] and self.person.all(".screen-title")[-1:] == [screen]
        self.assertTrue(eventually(seen), f"{self.person.all('#revision')} {self.person.all('.screen-title')}")

    def boxes(self, kind):
        """The titles in the picture."""
        return self.person.all(f".box.{kind} text:not(.small)")


class Console(Engineer, Case):
    def test_a_session_is_found_by_its_address(self):
        self.find(SERVICE.address + start_at_sign_in())
        self.is_at("Revision 2 of 2", "Sign in")
        self.assertEqual(self.boxes("node"), ["bank", "accounts", "inbox", "sign-in"])
        self.assertEqual(self.boxes("entry"), ["sign-in", "tab bar", "accounts", "inbox"])
        self.assertEqual(self.boxes("entry.shown"), ["sign-in"])
        self.assertEqual(len(self.person.all(".joint")), 4)

    def test_the_past_is_a_click_away(self):
        self.find(start("shop", ("actions/buy", {"product": 1}), ("actions/pay", {}), ("tabs/learn", None)))
        self.is_at("Revision 4 of 4", "Lessons")
        self.follow("Earlier")
        self.is_at("Revision 3 of 4", "Home")
        self.follow("2")
        self.is_at("Revision 2 of 4", "Buy")
        self.assertEqual(self.boxes("entry.shown"), ["buy"])
        self.follow("First")
        self.is_at("Revision 1 of 4", "Home")
        self.follow("Now")
        self.is_at("Revision 4 of 4", "Lessons")

    def test_the_list_leads_to_sessions(self):
        start("tabs")
        driver = self.person.driver
        driver.get(SERVICE.console)
        self.do(("App", "tabs"), ("Status", "active"), "Show")
        self.assertTrue(eventually(lambda: "app=tabs" in driver.current_url))
        self.assertEqual(set(self.person.all("tbody td:nth-child(2)")), {"tabs"})
        driver.find_element(By.CSS_SELECTOR, "tbody a").click()
        self.assertTrue(eventually(lambda: self.person.title.startswith("Session ")))
        self.follow("tabs")
        self.assertTrue(eventually(lambda: self.person.title == "Tabs"))

    def test_an_app_has_a_graph(self):
        start("pages", ("actions/next", {}))
        self.person.driver.get(SERVICE.console + "/apps/pages")
        self.assertEqual(self.person.all(".card .name"), ["first", "second", "third"])
        self.assertIn("next: first to second", " ".join(self.person.all(".step title")))

    def test_by_the_keyboard_alone(self):
        path = start("shop", ("actions/buy", {"product": 1}))
        self.person.driver.get(SERVICE.console)
        self.person.tab_to("Key, id or address")
        self.person.key(path, Keys.ENTER)
        self.is_at("Revision 2 of 2", "Buy")
        self.person.tab_to("Earlier")
        self.person.key(Keys.ENTER)
        self.is_at("Revision 1 of 2", "Home")
        self.person.tab_to("The state, as it is kept")
        self.person.key(Keys.ENTER)
        self.assertTrue(eventually(lambda: self.person.driver.find_element(By.CSS_SELECTOR, "#state pre").is_displayed()))

    @unittest.skipUnless(Case.javascript, "without a script the page is as new as when it was loaded")
    def test_the_picture_is_live(self):
        path = start("shop")
        self.find(path)
        self.is_at("Revision 1 of 1", "Home")
        self.do_in_page("details#state summary")
        field = self.person.driver.find_element(By.ID, "find")
        field.send_keys("half a ")
        SERVICE.ask(path + "/actions/buy", "POST", {"product": 1})
        self.is_at("Revision 2 of 2", "Buy")
        self.assertEqual(self.boxes("entry.shown"), ["buy"])
        # Whoever looks elsewhere hears of it, and nobody is interrupted.
        self.assertEqual(self.person.all("#news"), ["Revision 2 of 2"])
        self.assertTrue(self.person.driver.find_element(By.CSS_SELECTOR, "#state pre").is_displayed())
        field.send_keys("key")
        self.assertEqual(field.get_attribute("value"), "half a key")
        SERVICE.delete(path)
        self.assertTrue(eventually(lambda: self.person.title == "Session expired"))

    def do_in_page(self, selector):
        self.person.driver.find_element(By.CSS_SELECTOR, selector).click()


class ConsoleAxe(Engineer, AxeCase):
    def test_the_list(self):
        start("shop")
        self.person.driver.get(SERVICE.console)
        self.check("console-sessions")
        self.person.driver.get(SERVICE.console + "?app=shop&screen=nowhere")
        self.check("console-nothing")

    def test_a_session(self):
        self.find(start_at_sign_in())
        self.is_at("Revision 2 of 2", "Sign in")
        for summary in self.person.driver.find_elements(By.TAG_NAME, "summary"):
            summary.click()
        self.check("console-session-open")
        self.follow("First")
        self.is_at("Revision 1 of 2", "Accounts")
        self.check("console-past")

    def test_a_modal_over_tabs(self):
        self.find(start_at_sign_in())
        self.is_at("Revision 2 of 2", "Sign in")
        self.check("console-session")

    def test_a_question(self):
        self.find(start("bank", ("actions/transfer", {}), ("actions/sign-in", {"pin": "1234"}),
                        ("actions/next", {"to": "bob"}), ("back", None)))
        self.is_at("Revision 5 of 5", "Amount")
        self.check("console-question")

    def test_apps(self):
        for app in ("pages", "shop", "tabs", "bank", "gallery"):
            self.person.driver.get(f"{SERVICE.console}/apps/{app}")
            self.check(f"console-{app}")

    def test_a_problem(self):
        self.person.driver.get(SERVICE.console + "/sessions/nope")
        self.check("console-problem")
