"""Features of browsers: the back button, reload, double click, two windows, another device, and invalid input."""
import unittest
from selenium import webdriver
from cases import Case
from user import eventually
from service import SERVICE


class Behaviour(Case):
    def test_the_back_button_of_the_browser_never_breaks_the_session(self):
        self.user.start("Shop")
        self.do("Create account", ("Name", "Ann"), "Next")
        self.assert_shows("Confirm", revision=3)
        for _ in range(2):
            self.user.driver.back()
            eventually(lambda: self.user.title)
        # The page that the browser restored is usable, or reports that the session has moved on and shows its current
        # screen.
        self.user.press(self.user.buttons[-3])
        eventually(lambda: self.user.title)
        self.assertIn(self.user.title, ("Home", "Your name", "Confirm"))
        self.assertIn(self.user.view["screen"]["title"], self.user.title)
        self.user.driver.forward()
        self.user.driver.get(SERVICE.address + self.user.session)
        self.assert_shows(self.user.view["screen"]["title"])

    def test_a_reload_repeats_no_action(self):
        self.user.start("Shop")
        self.do(("Product", "1"), "Buy", "Pay")
        self.assert_shows("Home", revision=3)
        for _ in range(2):
            self.user.driver.refresh()
            self.assert_shows("Home", revision=3)
        self.assertEqual(self.user.data["purchases"], [1])

    def test_a_double_click_is_one_action(self):
        for app, label, title in (("Pages", "Next", "Second"), ("Shop", "Create account", "Your name")):
            self.user.start(app)
            webdriver.ActionChains(self.user.driver).double_click(self.user.button(label)).perform()
            self.assert_shows(title, revision=2)

    def test_a_double_click_is_one_session(self):
        self.user.driver.get(SERVICE.address + "/")
        form = self.user.button("Start Pages").find_element("xpath", "..")
        fields = form.find_elements("tag name", "input")
        values = {field.get_attribute("name"): field.get_attribute("value") for field in fields}
        webdriver.ActionChains(self.user.driver).double_click(self.user.button("Start Pages")).perform()
        self.assert_shows("First")
        # Submitting the same form again leads to the same session.
        self.assertEqual(SERVICE.submit("/v1/sessions", values), self.user.driver.current_url)

    @unittest.skipUnless(Case.javascript, "without JavaScript a session has the time zone of its app")
    def test_a_session_has_the_time_zone_of_the_browser(self):
        self.user.start("Pages")
        zone = self.user.driver.execute_script("return Intl.DateTimeFormat().resolvedOptions().timeZone")
        self.assertEqual(self.user.view["session"]["timeZone"], zone)

    def test_two_windows_show_one_session(self):
        self.user.start("Bank")
        driver, first = self.user.driver, self.user.driver.current_window_handle
        driver.switch_to.new_window("tab")
        self.addCleanup(driver.switch_to.window, first)
        second = driver.current_window_handle
        self.addCleanup(driver.close)
        self.addCleanup(driver.switch_to.window, second)
        driver.get(SERVICE.address + self.user.session)
        self.do("Savings 8,200.00")
        self.assert_shows("Savings")
        driver.switch_to.window(first)
        if not self.javascript:
            self.assert_shows("Accounts")
            self.do("Transfer")
            self.assert_shows("Savings")
            self.assertIn("The session has moved on.", self.user.alert)
        self.assert_shows("Savings")
        self.do("Back to Accounts")
        self.assert_shows("Accounts", alert="")

    def test_a_session_continues_on_another_device(self):
        self.user.start("Shop")
        old = self.user.session
        link = self.user.offer_to_another_device()
        for _ in range(2):
            self.user.driver.refresh()
            # A second link would invalidate the first one.
            self.assertEqual(
                eventually(lambda: self.user.driver.find_element("id", "link").get_attribute("value")), link)
        # Without JavaScript, nothing would happen.
        self.assertEqual(self.user.button("Copy the link").is_displayed(), self.javascript)
        if self.javascript:
            permissions = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
            self.user.driver.execute_cdp_cmd("Browser.grantPermissions", permissions)
            self.user.click("Copy the link")
            self.assertTrue(eventually(lambda: self.user.buttons == ["The link is copied"]))
            # The end of the offer is a time of the browser.
            self.assertNotIn("UTC", self.user.text)
        self.user.driver.get(link)
        self.assert_shows("Continue here?")
        self.do("Continue here")
        self.assert_shows("Home")
        self.user.session = self.user.driver.current_url.removeprefix(SERVICE.address)
        self.assertNotEqual(self.user.session, old)
        self.do("Create account")
        self.assert_shows("Your name", revision=3)
        self.user.driver.get(SERVICE.address + old)
        self.assert_shows("Your name")
        self.assertIn("This session continues on another device.", self.user.text)
        self.assertEqual(
            [button for button in self.user.driver.find_elements("tag name", "button") if button.is_enabled()], [])
        self.user.driver.get(link)
        self.assert_shows("Unknown hand-over")

    def test_a_small_screen_shows_the_qr_code_of_the_link(self):
        self.user.start("Shop")
        self.user.offer_to_another_device()
        driver = self.user.driver
        self.addCleanup(driver.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        self.addCleanup(driver.execute_cdp_cmd, "Emulation.setEmulatedMedia", {"features": []})
        # A window of the browser cannot be as narrow.
        screen = {"width": 320, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
        for scheme in ("light", "dark"):
            features = [{"name": "prefers-color-scheme", "value": scheme}]
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
            self.assertEqual(driver.execute_script("return document.documentElement.scrollWidth"), 320)
            code = driver.find_element("css selector", ".qr")
            self.assertEqual(code.get_attribute("aria-label"), "QR code of the link")
            self.assertAlmostEqual(code.rect["width"], code.rect["height"], delta=0.5)
            self.assertGreater(code.rect["width"], 200, scheme)

    @unittest.skipUnless(Case.javascript, "without JavaScript a page does not change")
    def test_a_page_follows_the_actions_of_others(self):
        self.user.start("Gallery")
        self.do("Show the fields")
        self.assert_shows("Fields")
        self.do(("Name", "Ann"))
        session = self.user.session
        for step, title in (("/back", "Blocks"), ("/actions/fields", "Fields")):
            SERVICE.request("POST", session + step)
            self.assert_shows(title)
        # The screen in between had no field for the typed text.
        self.assertEqual(self.user.field("Name").get_attribute("value"), "")
        self.assertEqual(self.user.focus, "Fields")
        SERVICE.request("DELETE", session)
        self.assert_shows("Session expired")

    @unittest.skipUnless(Case.javascript, "without JavaScript a page does not change")
    def test_a_page_keeps_typed_text_while_it_follows(self):
        self.user.start("Shop")
        self.do(("Product", "2"))
        self.change_the_session()
        self.assertEqual(self.user.field("Product").get_attribute("value"), "2")
        self.assertEqual(self.user.driver.switch_to.active_element.get_attribute("name"), "product")
        self.do("Buy")
        self.assert_shows("Buy", revision=3)

    @unittest.skipUnless(Case.javascript, "without JavaScript a page does not change")
    def test_a_page_that_follows_keeps_only_what_the_user_changed(self):
        self.user.start("Gallery")
        stay = {
            "email": "ann@example.com", "phone": "456", "nights": 7, "arrival": "2026-12-01", "cents": 100,
            "extras": ["parking"], "room": "small", "accepts": True}
        for step, values in (("/actions/more-fields", {}), ("/actions/send", stay), ("/back", {})):
            SERVICE.request("POST", self.user.session + step, values)
        self.assertTrue(eventually(lambda: self.user.field("E-mail").get_attribute("value") == "ann@example.com"))
        self.do(("Phone", "123"), ("Offset from UTC", "+05:30"), ("Bicycle", True))
        SERVICE.request("POST", self.user.session + "/actions/forget")
        self.assertTrue(eventually(lambda: self.user.field("E-mail").get_attribute("value") == ""))
        for label, value in (("Phone", "123"), ("Nights", "2"), ("Offset from UTC", "+05:30")):
            self.assertEqual(self.user.field(label).get_attribute("value"), value)
        self.assertTrue(self.user.field("Bicycle").is_selected())
        self.assertFalse(self.user.field("Parking").is_selected())

    @unittest.skipUnless(Case.javascript, "without JavaScript a page does not change")
    def test_a_page_that_follows_keeps_a_refused_form_and_a_chosen_offset(self):
        self.user.start("Gallery")
        self.do("Show more fields", ("E-mail", "ann@example.com"), ("Bicycle", True), "Send")
        self.assertIn("“Arrival” is required.", self.user.alert)
        # The offset that the browser would propose.
        self.do(("Offset from UTC", "+01:00"), ("Offset from UTC", "+00:00"))
        # Another client changes the session, but not the screen.
        SERVICE.request("POST", self.user.session + "/locale", {"locale": "en-GB"})
        self.assertTrue(eventually(lambda: self.user.driver.execute_script("return document.body.dataset.revision") == "3"))
        self.assertEqual(self.user.field("E-mail").get_attribute("value"), "ann@example.com")
        self.assertTrue(self.user.field("Bicycle").is_selected())
        self.assertEqual(self.user.field("Offset from UTC").get_attribute("value"), "+00:00")
        self.assertIsNotNone(self.user.field("Offset from UTC").get_attribute("data-chosen"))

    def change_the_session(self):
        """Lets another client change the session of `shop`, but not the screen, and waits for the page."""
        revision = self.user.revision + 1
        # Reselects the selected tab, which already shows its root.
        SERVICE.request("POST", self.user.session + "/tabs/main")
        shown = "return document.body.dataset.revision"
        self.assertTrue(eventually(lambda: self.user.driver.execute_script(shown) == str(revision)))

    @unittest.skipUnless(Case.javascript, "without JavaScript a page does not change")
    def test_a_page_that_follows_keeps_the_focus_and_the_place(self):
        driver = self.user.driver
        self.addCleanup(driver.set_window_size, 480, 900)
        driver.set_window_size(480, 400)
        self.user.start("Shop")
        scroll = "scrollTo(0, 90); return scrollY"
        for label in ("Create account", "Continue on another device"):
            # The button is out of sight, so that a focus that scrolls would be noticed.
            button = driver.find_element("xpath", f"//button[text()='{label}']")
            driver.execute_script("arguments[0].focus({preventScroll: true})", button)
            self.assertEqual(driver.execute_script(scroll), 90)
            self.change_the_session()
            self.assertEqual((self.user.focus, driver.execute_script("return scrollY")), (label, 90))
        driver.execute_script("document.activeElement.blur()")
        self.assertEqual(driver.execute_script(scroll), 90)
        self.change_the_session()
        self.assertEqual(
            driver.execute_script("return [document.activeElement === document.body, scrollY]"), [True, 90])

    @unittest.skipUnless(Case.javascript, "without JavaScript a page does not change")
    def test_a_page_that_follows_begins_another_screen_and_a_prompt_at_their_titles(self):
        self.user.start("Gallery")
        self.user.driver.execute_script("document.querySelector('main .action button').focus(); scrollTo(0, 90)")
        SERVICE.request("POST", self.user.session + "/actions/fields")
        self.assert_shows("Fields", focus="Fields")
        self.assertEqual(self.user.driver.execute_script("return scrollY"), 0)
        self.user.start("Bank")
        for step, values in (("transfer", {}), ("sign-in", {"pin": "1234"}), ("next", {"to": "bob"})):
            SERVICE.request("POST", f"{self.user.session}/actions/{step}", values)
        self.assert_shows("Amount", focus="Amount")
        SERVICE.request("POST", self.user.session + "/back")
        self.assert_shows("Amount", prompt="Leave this transfer?", focus="Leave this transfer?")

    @unittest.skipUnless(Case.javascript, "without JavaScript a page does not change")
    def test_a_page_that_follows_keeps_the_errors_of_its_form(self):
        self.user.start("Shop")
        self.do(("Product", "7"), "Buy")
        error = "This needs another look “Product” must be at most 2."
        for _ in range(2):
            self.assert_shows("Home", alert=error)
            field = self.user.field("Product")
            self.assertEqual((field.get_attribute("value"), field.get_attribute("aria-invalid")), ("7", "true"))
            self.assertTrue(self.user.driver.title.startswith("This needs another look · "))
            self.assertEqual(self.user.focus, error)
            self.change_the_session()
        self.do(("Product", "1"), "Buy")
        self.assert_shows("Buy", alert="")

    @unittest.skipUnless(Case.javascript, "without JavaScript a page does not change")
    def test_a_page_that_follows_keeps_sections_open(self):
        self.user.start("Gallery")
        for step, values in (
                ("/actions/background", {}), ("/actions/remind", {"seconds": 4}), ("/back", {}),
                ("/actions/more-blocks", {})):
            SERVICE.request("POST", self.user.session + step, values)
        self.assert_shows("More blocks", revision=5)
        self.assertEqual(self.user.facts["Total"], "€1,449.00")
        self.assertEqual(self.user.facts["Train"], "December 1, 2026 at 9:30 AM (UTC+05:30)")
        self.user.driver.find_element("css selector", "summary").click()
        self.assertTrue(eventually(lambda: self.user.driver.execute_script("return document.body.dataset.revision") == "6"))
        self.assertEqual(self.user.facts["Arrival"], "December 1, 2026")
        self.assertTrue(self.user.driver.find_element("css selector", "details").get_attribute("open"))
        self.assertEqual(self.user.focus, "Conditions")

    def test_amounts_and_dates_are_words_with_and_without_a_script(self):
        for locale, facts in (
                ("en", ("€1,449.00", "December 1, 2026", "December 1, 2026 at 9:30 AM (UTC+05:30)")),
                ("en-GB", ("€1,449.00", "1 December 2026", "1 December 2026 at 09:30 (UTC+05:30)")),
                ("de-AT", ("€ 1.449,00", "1. Dezember 2026", "1. Dezember 2026 um 09:30 (UTC+05:30)")),
                ("fr", ("1 449,00 €", "1er décembre 2026", "1er décembre 2026 à 09:30 (UTC+05:30)"))):
            self.assert_shows_values(locale, *facts)

    def test_a_script_writes_amounts_and_dates_where_the_service_does_not(self):
        if Case.javascript:
            self.assert_shows_values("nl", "€ 1.449,00", "1 december 2026", "1 december 2026 om 09:30 (UTC+05:30)")
        else:
            self.assert_shows_values("nl", "1449,00 EUR", "2026-12-01", "2026-12-01 09:30 +05:30")

    def assert_shows_values(self, locale, total, arrival, train):
        """Opens a session of the gallery in a language, and checks its amounts and dates."""
        session = SERVICE.request("POST", "/v1/sessions", {"app": "gallery", "locale": locale})["links"]["self"]
        SERVICE.request("POST", session + "/actions/more-blocks", {})
        self.user.driver.get(SERVICE.address + session)
        self.assert_shows("More blocks", facts={"Total": total, "Arrival": arrival, "Train": train})

    def test_a_choice_excludes_the_others(self):
        self.user.start("Gallery")
        self.do("Show more fields", ("Bicycle", True), ("Nothing", True))
        if Case.javascript:
            self.assertFalse(self.user.field("Bicycle").is_selected())
            self.do(("Parking", True))
            self.assertFalse(self.user.field("Nothing").is_selected())
        else:
            self.do("Send")
            self.assertIn("“Nothing” excludes the other choices.", self.user.alert)

    def test_invalid_input_is_shown_again(self):
        self.user.start("Gallery", Your_name="Ann <&> Bob")
        self.assertIn("Welcome, Ann <&> Bob!", self.user.text)
        self.do(
            "Show the fields", ("Name", "x"), ("Guests", "13"), ("Budget", "2000"), ("Code", "12"),
            ("Size", "Medium, for two"))
        self.do(("Story", "once\nupon"), ("Send me news", True), "Send")
        self.assert_shows("Fields", revision=2)
        self.assertTrue(self.user.driver.title.startswith("This needs another look · Fields"))
        for label, value in (("Name", "x"), ("Guests", "13"), ("Budget", "2000"), ("Code", "12"), ("Size", "medium")):
            self.assertEqual(self.user.field(label).get_attribute("value"), value)
        self.assertEqual(self.user.field("Story").get_attribute("value"), "once\nupon")
        self.assertTrue(self.user.field("Send me news").is_selected())
        # The summary has the focus, and links to each invalid field.
        self.assertEqual(self.user.driver.switch_to.active_element.get_attribute("role"), "alert")
        for label in ("Name", "Guests", "Budget", "Code"):
            field = self.user.field(label)
            self.assertEqual(field.get_attribute("aria-invalid"), "true")
            self.assertTrue(
                self.user.driver.find_element("css selector", f"[role=alert] a[href='#{field.get_attribute('id')}']"))
            self.assertIn(f"{field.get_attribute('id')}-error", field.get_attribute("aria-describedby"))
        self.assertIsNone(self.user.field("Size").get_attribute("aria-invalid"))
        self.do(("Name", "Ann"), ("Guests", "3"), ("Budget", ""), ("Code", "123456"), "Send")
        self.assert_shows("Your answers", alert="")
        self.assertEqual(self.user.facts["Story"], "once upon")
        self.assertEqual((self.user.facts["News"], self.user.facts["Reminder"]), ("yes", "no"))

    def test_a_finished_session_offers_a_new_start(self):
        self.user.start("Gallery")
        self.do(
            "Show the fields", ("Name", "Ann"), ("Guests", "1"), ("Size", "Small, for one"), "Send", "Back to Fields",
            "Back to Blocks")
        self.do("Leave")
        self.assert_shows("Blocks", prompt="Leave the gallery?")
        self.do(("Last words", "bye"), "Say goodbye")
        self.assert_shows("Blocks", buttons=["Start again"])
        self.assertEqual(self.user.view["session"]["result"], {"answers": 1})
        self.do("Start again")
        self.assertEqual(self.user.title, "Blocks")
        self.assertNotIn(self.user.session, self.user.driver.current_url)

    def test_an_unknown_session_leads_to_the_list_of_apps(self):
        self.user.driver.get(SERVICE.address + "/v1/sessions/AAAAAAAAAAAAAAAAAAAAAA")
        self.assert_shows("Unknown session")
        self.user.driver.find_element("link text", "All apps").click()
        self.assert_shows("Usher")
