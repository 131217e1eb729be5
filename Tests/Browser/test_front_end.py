"""The example front end of `shop`: a thin client that draws from the data of the screens alone."""
import unittest
from cases import Case
from person import eventually
from service import SERVICE


@unittest.skipUnless(Case.javascript, "it is a script")
class FrontEnd(Case):
    def goes(self, *steps):
        """Presses a button and waits for a heading."""
        for label, heading in steps:
            self.person.press(label)
            self.shows(heading)

    def test_a_visit(self):
        self.person.driver.get(SERVICE.address + "/examples/shop")
        self.shows("What will it be?")
        self.person.shot("front-end")
        self.goes(("Yearly€ 90 a year", "Yearly: € 90 a year"), ("Rather not", "What will it be?"))
        self.goes(("Yearly€ 90 a year", "Yearly: € 90 a year"), ("Pay now", "What will it be?"))
        self.assertIn("Yearlyis yours", self.person.buttons)
        self.goes(("I am new here", "Who are you?"), ("Go on", "Who are you?"))
        self.assertEqual(self.person.alert, "That will not do.")
        self.person.driver.find_element("tag name", "input").send_keys("Ann")
        self.goes(("Go on", "You are Ann?"), ("I am", "Good day, Ann."), ("Lessons", "No lessons today."), ("To the shop", "Good day, Ann."))
        # A reload goes on with the session, and what others do shows.
        self.person.driver.refresh()
        self.shows("Good day, Ann.")
        session = self.person.driver.current_url.split("#")[1]
        SERVICE.ask(session + "/tabs/learn", "POST")
        self.shows("No lessons today.")
        SERVICE.delete(session)
        self.shows("What will it be?")
