"""The pages of a journey, on which questions depend on others."""
from axe import AxeCase
from cases import Case
from outbreak import OutbreakService
from user import eventually


class JourneyCase(Case):
    @classmethod
    def setUpClass(cls):
        cls.service = OutbreakService()
        cls.addClassCleanup(cls.service.close)

    def setUp(self):
        super().setUp()
        self.user.driver.get(self.service.address + "/")
        self.do("Start Report an outbreak")
        self.assert_shows("Setting")

    @property
    def other(self):
        """The question that is asked if people choose `Other`."""
        return self.user.field("Which kind?")

    def choose(self, label):
        self.user.field(label).click()

    def assert_asks(self, is_asked):
        """Waits until the question is shown and can be answered, or neither."""
        self.assertTrue(eventually(lambda: self.other.is_displayed() == self.other.is_enabled() == is_asked))


class Conditions(JourneyCase):
    def test_a_question_is_shown_if_it_applies(self):
        # Without JavaScript, it is shown always.
        always = not self.javascript
        self.assert_asks(always)
        self.choose("Other")
        self.assert_asks(True)
        self.assertEqual(self.user.driver.find_element("class name", "applies").is_displayed(), always)
        self.do(("Which kind?", "Day centre"))
        self.choose("Care home")
        self.assert_asks(always)
        self.choose("Other")
        self.assertEqual(self.other.get_attribute("value"), "Day centre")
        self.choose("Supported living")
        self.do("Continue")
        self.assert_shows("Is any test positive?")
        self.do("Back to Setting")
        self.assert_shows("Setting")
        self.assert_asks(always)

    def test_a_question_with_an_error_or_an_answer_is_shown(self):
        self.choose("Other")
        self.do("Continue")
        self.assertIn("Write which kind of home it is.", self.user.alert)
        self.assert_asks(True)
        self.do(("Which kind?", "Day centre"), "Continue")
        self.assert_shows("Is any test positive?")
        self.do("Back to Setting")
        self.assert_shows("Setting")
        self.assert_asks(True)
        self.assertEqual(self.other.get_attribute("value"), "Day centre")


class ConditionsAccessibility(JourneyCase, AxeCase):
    def test_axe_accepts_a_question_that_is_hidden_or_shown(self):
        self.check("journey-hidden")
        self.choose("Other")
        self.check("journey-shown")

    def test_axe_accepts_a_title_that_is_the_label_of_a_question(self):
        self.choose("Care home")
        self.do("Continue")
        self.assert_shows("Is any test positive?")
        self.check("journey-title")
        group = self.user.driver.find_element("tag name", "fieldset")
        self.assertEqual(group.accessible_name, "Is any test positive?")
        self.assertEqual(self.user.text.count("Is any test positive?"), 1)
