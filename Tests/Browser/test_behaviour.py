"""What people do to browsers: back, reload, double click, two windows, and input that does not fit."""
import unittest
from selenium import webdriver
from cases import Case
from person import eventually
from service import SERVICE


class Behaviour(Case):
    def test_the_browsers_back_button_never_breaks_the_session(self):
        self.person.start("Shop")
        self.do("Create account", ("Name", "Ann"), "Next")
        self.shows("Confirm", revision=3)
        for _ in range(2):
            self.person.driver.back()
            eventually(lambda: self.person.title)
        # Wherever the browser is, what it shows can be used, or says that the session has moved on and shows where it is.
        self.person.press(self.person.buttons[-3])
        eventually(lambda: self.person.title)
        self.assertIn(self.person.title, ("Home", "Your name", "Confirm"))
        self.assertIn(self.person.view["screen"]["title"], self.person.title)
        self.person.driver.forward()
        self.person.driver.get(SERVICE.address + self.person.session)
        self.shows(self.person.view["screen"]["title"])

    def test_a_reload_does_nothing_again(self):
        self.person.start("Shop")
        self.do(("Product", "1"), "Buy", "Pay")
        self.shows("Home", revision=3)
        for _ in range(2):
            self.person.driver.refresh()
            self.shows("Home", revision=3)
        self.assertEqual(self.person.data["purchases"], [1])

    def test_a_double_click_is_one_action(self):
        for app, label, title in (("Pages", "Next", "Second"), ("Shop", "Create account", "Your name")):
            self.person.start(app)
            webdriver.ActionChains(self.person.driver).double_click(self.person.button(label)).perform()
            self.shows(title, revision=2)

    def test_a_double_click_is_one_session(self):
        self.person.driver.get(SERVICE.address + "/")
        form = self.person.button("Start Pages").find_element("xpath", "..")
        typed = {field.get_attribute("name"): field.get_attribute("value") for field in form.find_elements("tag name", "input")}
        webdriver.ActionChains(self.person.driver).double_click(self.person.button("Start Pages")).perform()
        self.shows("First")
        # Sent once more, the same form leads to the same session.
        self.assertEqual(SERVICE.submit("/v1/sessions", typed), self.person.driver.current_url)

    def test_two_windows_on_one_session(self):
        self.person.start("Bank")
        driver, first = self.person.driver, self.person.driver.current_window_handle
        driver.switch_to.new_window("tab")
        self.addCleanup(driver.switch_to.window, first)
        second = driver.current_window_handle
        self.addCleanup(driver.close)
        self.addCleanup(driver.switch_to.window, second)
        driver.get(SERVICE.address + self.person.session)
        self.do(("Account", "Savings"), "Open")
        self.shows("Savings")
        driver.switch_to.window(first)
        if not self.javascript:
            self.shows("Accounts")
            self.do("Transfer")
            self.shows("Savings")
            self.assertIn("The session has moved on.", self.person.alert)
        self.shows("Savings")
        self.do("Back to Accounts")
        self.shows("Accounts", alert="")

    def test_a_session_goes_on_on_another_device(self):
        self.person.start("Shop")
        old = self.person.session
        link = self.person.offer_to_another_device()
        for _ in range(2):
            self.person.driver.refresh()
            # Another link would have made the first one void.
            self.assertEqual(eventually(lambda: self.person.driver.find_element("id", "link").get_attribute("value")), link)
        self.person.driver.get(link)
        self.shows("Continue here?")
        self.do("Continue here")
        self.shows("Home")
        self.person.session = self.person.driver.current_url.removeprefix(SERVICE.address)
        self.assertNotEqual(self.person.session, old)
        self.do("Create account")
        self.shows("Your name", revision=3)
        self.person.driver.get(SERVICE.address + old)
        self.shows("Your name")
        self.assertIn("This session continues on another device.", self.person.text)
        self.assertEqual([button for button in self.person.driver.find_elements("tag name", "button") if button.is_enabled()], [])
        self.person.driver.get(link)
        self.shows("There is nothing to take over")

    @unittest.skipUnless(Case.javascript, "without a script a page is as it was loaded")
    def test_a_page_follows_what_others_do(self):
        self.person.start("Gallery")
        self.do("Show the fields")
        self.shows("Fields")
        self.do(("Name", "Ann"))
        session = self.person.session
        for step, title in (("/back", "Blocks"), ("/actions/fields", "Fields")):
            SERVICE.ask(session + step, "POST")
            self.shows(title)
        # There was no place for what was typed in between.
        self.assertEqual(self.person.field("Name").get_attribute("value"), "")
        self.assertEqual(self.person.focus, "Fields")
        SERVICE.delete(session)
        self.shows("The session is over")

    @unittest.skipUnless(Case.javascript, "without a script a page is as it was loaded")
    def test_what_is_being_typed_stays_while_the_page_follows(self):
        self.person.start("Shop")
        self.do(("Product", "2"))
        # The tab that shows is popped to its root, where it is already.
        SERVICE.ask(self.person.session + "/tabs/main", "POST")
        body = "return document.body.dataset.revision"
        self.assertTrue(eventually(lambda: self.person.driver.execute_script(body) == "2"))
        self.assertEqual(self.person.field("Product").get_attribute("value"), "2")
        self.assertEqual(self.person.driver.switch_to.active_element.get_attribute("name"), "product")
        self.do("Buy")
        self.shows("Buy", revision=3)

    def test_input_that_does_not_fit_comes_back(self):
        self.person.start("Gallery", Your_name="Ann <&> Bob")
        self.assertIn("Welcome, Ann <&> Bob!", self.person.text)
        self.do("Show the fields", ("Name", "x"), ("Guests", "13"), ("Budget", "2000"), ("Code", "12"), ("Size", "Medium, for two"))
        self.do(("Story", "once\nupon"), ("Send me news", True), "Send")
        self.shows("Fields", revision=2)
        self.assertTrue(self.person.driver.title.startswith("Not done: Fields"))
        for label, typed in (("Name", "x"), ("Guests", "13"), ("Budget", "2000"), ("Code", "12"), ("Size", "medium")):
            self.assertEqual(self.person.field(label).get_attribute("value"), typed)
        self.assertEqual(self.person.field("Story").get_attribute("value"), "once\nupon")
        self.assertTrue(self.person.field("Send me news").is_selected())
        # The summary has the focus, and each of its links leads to its field.
        self.assertEqual(self.person.driver.switch_to.active_element.get_attribute("role"), "alert")
        for label in ("Name", "Guests", "Budget", "Code"):
            field = self.person.field(label)
            self.assertEqual(field.get_attribute("aria-invalid"), "true")
            self.assertTrue(self.person.driver.find_element("css selector", f"[role=alert] a[href='#{field.get_attribute('id')}']"))
            self.assertIn(f"{field.get_attribute('id')}-error", field.get_attribute("aria-describedby"))
        self.assertIsNone(self.person.field("Size").get_attribute("aria-invalid"))
        self.do(("Name", "Ann"), ("Guests", "3"), ("Budget", ""), ("Code", "123456"), "Send")
        self.shows("Your answers", alert="")
        self.assertEqual(self.person.facts["Story"], "once upon")
        self.assertEqual((self.person.facts["News"], self.person.facts["Reminder"]), ("yes", "no"))

    def test_an_end_offers_a_beginning(self):
        self.person.start("Gallery")
        self.do("Show the fields", ("Name", "Ann"), ("Guests", "1"), ("Size", "Small, for one"), "Send", "Back to Fields", "Back to Blocks")
        self.do("Leave")
        self.shows("Blocks", prompt="Leave the gallery?")
        self.do(("Last words", "bye"), "Say goodbye")
        self.shows("Blocks", buttons=["Start again"])
        self.assertEqual(self.person.view["session"]["result"], {"answers": 1})
        self.do("Start again")
        self.assertEqual(self.person.title, "Blocks")
        self.assertNotIn(self.person.session, self.person.driver.current_url)

    def test_what_is_not_there_says_so_and_leads_on(self):
        self.person.driver.get(SERVICE.address + "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA")
        self.shows("There is no such session")
        self.person.driver.find_element("link text", "All apps").click()
        self.shows("Apps")
