"""The pages of start addresses, which lead people to an app or to the target of a link."""
import unittest
from axe import AxeCase
from cases import Case
from user import eventually
from service import SERVICE


def visit(user, path):
    user.driver.get(SERVICE.address + path)


class StartAddress(Case):
    def begin(self, title):
        """Presses the button, and waits for the first screen of the session."""
        self.do("Start")
        eventually(lambda: "/v1/sessions/" in self.user.driver.current_url)
        self.user.session = self.user.driver.current_url.removeprefix(SERVICE.address)
        self.assert_shows(title)

    def test_the_button_begins_a_session(self):
        visit(self.user, "/start/pages")
        self.assert_shows("Pages")
        self.begin("First")

    def test_the_button_leads_to_the_target_of_a_link(self):
        visit(self.user, "/start/bank/inbox/m2?utm_source=mail")
        self.assert_shows("Bank")
        self.begin("Your statement")
        self.do("Back to Inbox")
        self.assert_shows("Inbox")

    def test_people_may_change_what_the_address_fills_in(self):
        visit(self.user, "/start/gallery?visitor=Ada")
        self.assertEqual(self.user.field("Your name").get_attribute("value"), "Ada")
        self.do(("Your name", "Bob"))
        self.begin("Blocks")
        self.assertIn("Welcome, Bob!", self.user.text)

    def test_a_refused_form_keeps_what_was_typed(self):
        visit(self.user, "/start/gallery?visitor=Ada")
        # With the attribute, the browser accepts only 40 characters.
        field = self.user.field("Your name")
        self.user.driver.execute_script("arguments[0].removeAttribute('maxlength')", field)
        self.do(("Your name", "x" * 41), "Start")
        self.assert_shows("Gallery", alert="This needs another look “Your name” must have at most 40 characters.")
        self.assertEqual(self.user.field("Your name").get_attribute("value"), "x" * 41)

    def test_an_address_that_leads_nowhere_leads_to_the_beginning(self):
        visit(self.user, "/start/bank/nowhere")
        self.assertIn("The app has no page at this address.", self.user.alert)
        self.user.driver.find_element("link text", "Start from the beginning").click()
        self.begin("Accounts")

    def test_the_start_page_links_to_the_address(self):
        visit(self.user, "/")
        self.user.driver.find_element("css selector", "a[href='/start/bank']").click()
        self.assert_shows("Bank")
        self.assertTrue(self.user.driver.current_url.endswith("/start/bank"))

    @unittest.skipUnless(Case.javascript, "without JavaScript a session has the time zone of its app")
    def test_the_session_has_the_time_zone_of_the_browser(self):
        visit(self.user, "/start/pages")
        zone = self.user.driver.execute_script("return Intl.DateTimeFormat().resolvedOptions().timeZone")
        self.begin("First")
        self.assertEqual(self.user.view["session"]["timeZone"], zone)


class Axe(AxeCase):
    def test_axe_accepts_the_page_of_an_app(self):
        for path, name in (
                ("/start/bank", "start-bank"), ("/start/gallery?visitor=Ada", "start-gallery"),
                ("/start/bank?locale=de", "start-german"), ("/start/bank/nowhere", "start-nowhere")):
            visit(self.user, path)
            self.check(name)
