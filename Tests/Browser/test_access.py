"""Whether everybody can use the pages: axe finds nothing, the keyboard is enough, and what is new is announced."""
from selenium.webdriver.common.keys import Keys
from axe import AxeCase
from cases import Case
from person import eventually
from service import SERVICE

class Axe(AxeCase):
    def test_the_apps(self):
        self.person.driver.get(SERVICE.address + "/")
        self.check("apps")

    def test_a_problem(self):
        self.person.driver.get(SERVICE.address + "/v1/sessions/nope")
        self.check("problem")

    def test_shop(self):
        self.person.start("Shop")
        self.check("shop-home")
        self.do(("Product", "7"), "Buy")
        self.check("shop-invalid")
        self.do(("Product", "1"), "Buy", "Pay", "Create account")
        self.check("shop-name")

    def test_bank(self):
        self.person.start("Bank")
        self.check("bank-accounts")
        self.do("Inbox 3")
        self.check("bank-inbox")
        self.do("Accounts", "Transfer")
        self.check("bank-sign-in")
        self.do(("PIN", "1234"), "Sign in", ("Recipient", "Bob"), "Next", "Back to Recipient")
        self.check("bank-question")
        self.do("Stay", ("Amount", "12"), "Next")
        self.check("bank-review")
        self.do("Transfer now")
        self.check("bank-receipt")

    def test_a_hand_over(self):
        self.person.start("Shop")
        link = self.person.offer_to_another_device()
        self.check("hand-over-link")
        self.person.driver.get(link)
        self.check("hand-over-question")
        self.do("Continue here")
        self.shows("Home")
        self.person.driver.get(SERVICE.address + self.person.session)
        self.check("shop-read-only")

    def test_gallery(self):
        self.person.start("Gallery")
        self.check("gallery-blocks")
        self.do("Show the fields")
        self.check("gallery-fields")
        self.do("Send")
        self.check("gallery-invalid")
        self.do(("Name", "Ann"), ("Guests", "1"), ("Size", "Small, for one"), "Send")
        self.check("gallery-answers")
        self.do("Back to Fields", "Back to Blocks", "Leave")
        self.check("gallery-prompt")
        self.do("Say goodbye")
        self.check("gallery-finished")


class Keyboard(Case):
    def test_a_transfer_by_the_keyboard_alone(self):
        self.person.driver.get(SERVICE.address + "/")
        self.person.tab_to("Start Bank")
        self.person.key(Keys.ENTER)
        self.shows("Accounts")
        self.person.session = self.person.driver.current_url.removeprefix(SERVICE.address)
        # The new heading has the focus: what comes after it is the next stop.
        self.assertTrue(eventually(lambda: self.person.focus == "Accounts"))
        self.person.tab_to("Transfer")
        self.person.key(Keys.ENTER)
        self.shows("Sign in")
        self.person.tab_to("PIN")
        self.person.key("1234", Keys.ENTER)
        self.shows("Recipient")
        self.person.tab_to("Recipient")
        self.person.key("Bob")
        self.person.tab_to("Next")
        self.person.key(Keys.ENTER)
        self.shows("Amount")
        self.person.tab_to("Back to Recipient")
        self.person.key(Keys.ENTER)
        self.assertTrue(eventually(lambda: self.person.focus == "Leave this transfer?"))
        # Behind the question nothing can be reached.
        reached = set()
        for _ in range(8):
            self.person.key(Keys.TAB)
            reached.add(self.person.focus)
        self.assertTrue({"Leave", "Stay"} <= reached)
        self.assertFalse({"Next", "Back to Recipient"} & reached)
        self.person.tab_to("Stay")
        self.person.key(Keys.SPACE)
        self.shows("Amount", prompt=None)
        self.person.tab_to("Amount")
        self.person.key("20", Keys.ENTER)
        self.shows("Review")
        self.person.tab_to("Transfer now")
        self.person.key(Keys.ENTER)
        self.shows("Receipt")

    def test_every_page_has_a_language_and_one_heading(self):
        self.person.start("Shop")
        html = self.person.driver.find_element("tag name", "html")
        self.assertEqual(html.get_attribute("lang"), "en")
        self.assertEqual(len(self.person.driver.find_elements("tag name", "h1")), 1)
        self.assertEqual(self.person.driver.title, "Home · Shop")
