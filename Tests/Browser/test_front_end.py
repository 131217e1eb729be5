"""The example front end of `shop`: a thin client that renders the data of the screens."""
import unittest
from cases import Case
from service import SERVICE


@unittest.skipUnless(Case.javascript, "the front end requires JavaScript")
class FrontEnd(Case):
    def press_in_turn(self, *steps):
        """Presses buttons, and waits for a heading after each."""
        for label, heading in steps:
            self.user.press(label)
            self.assert_shows(heading)

    def test_a_visit_leads_through_all_screens(self):
        self.user.driver.get(SERVICE.address + "/examples/shop")
        self.assert_shows("What will it be?")
        self.user.take_screenshot("front-end")
        self.press_in_turn(("Yearly€ 90 a year", "Yearly: € 90 a year"), ("Rather not", "What will it be?"))
        self.press_in_turn(("Yearly€ 90 a year", "Yearly: € 90 a year"), ("Pay now", "What will it be?"))
        self.assertIn("Yearlyis yours", self.user.buttons)
        self.press_in_turn(("I am new here", "Who are you?"), ("Go on", "Who are you?"))
        self.assertEqual(self.user.alert, "That will not do.")
        self.user.driver.find_element("tag name", "input").send_keys("Ann")
        self.press_in_turn(
            ("Go on", "You are Ann?"), ("I am", "Good day, Ann."), ("Lessons", "No lessons today."),
            ("To the shop", "Good day, Ann."))
        # A reload continues the session, and the front end follows the actions of others.
        self.user.driver.refresh()
        self.assert_shows("Good day, Ann.")
        session = self.user.driver.current_url.split("#")[1]
        SERVICE.request("POST", session + "/tabs/learn")
        self.assert_shows("No lessons today.")
        SERVICE.request("DELETE", session)
        self.assert_shows("What will it be?")
