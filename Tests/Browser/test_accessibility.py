"""Accessibility of the pages: checks by axe, operation by the keyboard, and announcements."""
from selenium.webdriver.common.keys import Keys
from axe import AxeCase
from cases import Case
from user import eventually
from service import SERVICE


class Axe(AxeCase):
    def test_axe_accepts_the_list_of_apps(self):
        self.user.driver.get(SERVICE.address + "/")
        self.check("apps")

    def test_axe_accepts_a_refused_start(self):
        self.user.driver.get(SERVICE.address + "/")
        # With the attribute, the browser accepts only 40 characters.
        self.user.driver.execute_script("document.getElementById('gallery-visitor').removeAttribute('maxlength')")
        self.do(("Your name", "x" * 41), "Start Gallery")
        self.assert_shows("Usher", alert="This needs another look “Your name” must have at most 40 characters.")
        self.check("apps-invalid")

    def test_axe_accepts_a_problem(self):
        self.user.driver.get(SERVICE.address + "/v1/sessions/nope")
        self.check("problem")

    def test_axe_accepts_shop(self):
        self.user.start("Shop")
        self.check("shop-home")
        self.do(("Product", "7"), "Buy")
        self.check("shop-invalid")
        self.do(("Product", "1"), "Buy", "Pay", "Create account")
        self.check("shop-name")

    def test_axe_accepts_bank(self):
        self.user.start("Bank")
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

    def test_axe_accepts_a_hand_over(self):
        self.user.start("Shop")
        link = self.user.offer_to_another_device()
        self.check("hand-over-link")
        self.user.driver.get(link)
        self.check("hand-over-question")
        self.do("Continue here")
        self.assert_shows("Home")
        self.user.driver.get(SERVICE.address + self.user.session)
        self.check("shop-read-only")

    def test_axe_accepts_gallery(self):
        self.user.start("Gallery")
        self.check("gallery-blocks")
        self.do("Show the fields")
        self.check("gallery-fields")
        self.do("Send")
        self.check("gallery-invalid")
        self.do(("Name", "Ann"), ("Guests", "1"), ("Size", "Small, for one"), "Send")
        self.check("gallery-answers")
        self.do("Back to Fields", "Back to Blocks", "Show more fields")
        self.check("gallery-more-fields")
        self.do(("E-mail", "ann"), ("Price a night (EUR)", "12.345"), "Send")
        self.check("gallery-more-invalid")
        self.assertEqual(self.user.field("E-mail").get_attribute("value"), "ann")
        self.assertEqual(self.user.field("Price a night (EUR)").get_attribute("value"), "12.345")
        self.assertIn("“E-mail” must be an e-mail address such as ann@example.com.", self.user.alert)
        self.do("Back to Blocks", "Show more blocks")
        self.check("gallery-more-blocks")
        self.do("Back to Blocks", "Leave")
        self.check("gallery-prompt")
        self.do("Say goodbye")
        self.check("gallery-finished")

    def test_axe_accepts_checkout(self):
        self.user.start("Checkout")
        self.assert_comes("Tickets", items=["Day ticket 4.50", "Week ticket 18.00", "Month ticket 54.00"])
        self.check("checkout-tickets")
        self.do("Month ticket 54.00")
        self.assert_comes("Your ticket")
        self.check("checkout-offer")
        self.do("Pay")
        self.assert_comes("Pay")
        self.check("checkout-pay")
        SERVICE.backend.settle(self.user.data["page"])
        self.assert_comes("Thank you")
        self.check("checkout-ticket")


class Keyboard(Case):
    def test_a_form_with_every_kind_of_field_needs_only_the_keyboard(self):
        self.user.start("Gallery")
        self.do("Show more fields")
        self.assert_shows("More fields")
        for label, typed in (
                ("E-mail", "ann@example.com"), ("Phone", "+49 30 123"), ("Web site", "https://a.example"),
                ("Date of birth", "12311980"), ("Passport number", "C01X00T47"),
                ("Arrival", "11252026"), ("Time of arrival", "0930AM"), ("Nights", Keys.ARROW_UP),
                ("Date and time", "112520260815AM"), ("Offset from UTC", "+05:30"),
                ("Price a night (EUR)", "12.50")):
            self.user.tab_to(label)
            self.user.key(typed)
        # Breakfast and bicycle, the second room, a note on two lines, and the terms.
        self.user.key(Keys.TAB, Keys.SPACE, Keys.TAB, Keys.TAB, Keys.SPACE)
        self.user.key(Keys.TAB, Keys.TAB, Keys.SPACE, Keys.ARROW_DOWN)
        self.user.key(Keys.TAB, "Late", Keys.ENTER, "arrival", Keys.TAB, Keys.SPACE, Keys.TAB, Keys.ENTER)
        self.assert_shows("Your stay", facts={
            "E-mail": "ann@example.com", "Phone": "+49 30 123", "Web site": "https://a.example",
            "Date of birth": "1980-12-31", "Passport number": "C01X00T47",
            "Arrival": "2026-11-25", "Time of arrival": "09:30", "Nights": "3",
            "Train from the airport": "2026-11-25T08:15:00+05:30", "Price a night": "12.50 EUR",
            "Extras": "Breakfast, Bicycle", "Room": "Medium, for two", "Note": "Late arrival"})
        # The way back leads to the form as it was typed.
        self.do("Back to More fields")
        self.assertEqual(self.user.field("E-mail").get_attribute("value"), "ann@example.com")
        self.assertEqual(self.user.field("Date and time").get_attribute("value"), "2026-11-25T08:15")
        self.assertEqual(self.user.field("Offset from UTC").get_attribute("value"), "+05:30")
        self.do("Forget my stay")
        self.assertEqual(self.user.field("E-mail").get_attribute("value"), "")

    def test_a_transfer_needs_only_the_keyboard(self):
        self.user.driver.get(SERVICE.address + "/")
        self.user.tab_to("Start Bank")
        self.user.key(Keys.ENTER)
        self.assert_shows("Accounts")
        self.user.session = self.user.driver.current_url.removeprefix(SERVICE.address)
        # The new heading has the focus, so the Tab key continues after it.
        self.assertTrue(eventually(lambda: self.user.focus == "Accounts"))
        self.user.tab_to("Transfer")
        self.user.key(Keys.ENTER)
        self.assert_shows("Sign in")
        self.user.tab_to("PIN")
        self.user.key("1234", Keys.ENTER)
        self.assert_shows("Recipient")
        self.user.tab_to("Recipient")
        self.user.key("Bob")
        self.user.tab_to("Next")
        self.user.key(Keys.ENTER)
        self.assert_shows("Amount")
        self.user.tab_to("Back to Recipient")
        self.user.key(Keys.ENTER)
        self.assertTrue(eventually(lambda: self.user.focus == "Leave this transfer?"))
        # The prompt keeps the focus.
        reached = set()
        for _ in range(8):
            self.user.key(Keys.TAB)
            reached.add(self.user.focus)
        self.assertTrue({"Leave", "Stay"} <= reached)
        self.assertFalse({"Next", "Back to Recipient"} & reached)
        self.user.tab_to("Stay")
        self.user.key(Keys.SPACE)
        self.assert_shows("Amount", prompt=None)
        self.user.tab_to("Amount")
        self.user.key("20", Keys.ENTER)
        self.assert_shows("Review")
        self.user.tab_to("Transfer now")
        self.user.key(Keys.ENTER)
        self.assert_shows("Receipt")

    def test_every_page_has_a_language_and_one_heading(self):
        self.user.start("Shop")
        html = self.user.driver.find_element("tag name", "html")
        self.assertEqual(html.get_attribute("lang"), "en")
        self.assertEqual(len(self.user.driver.find_elements("tag name", "h1")), 1)
        self.assertEqual(self.user.driver.title, "Home · Shop")
