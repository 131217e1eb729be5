"""The service alone: what it answers, what it does, and whether it closes the connection."""
import unittest

from cases import Outcome, each
from corpus import ALL
from service import SERVICE


class Direct(unittest.TestCase):
    def test_every_hostile_request_is_answered_as_it_should_be_and_nothing_hidden_is_done(self):
        def check(case):
            case = case.read_by(SERVICE.library)
            outcome = Outcome(case, SERVICE.port, len(case.answers), closes=case.closes)
            expected = (case.answers, case.closes, (case.acts, case.acts_hidden))
            told = str(outcome)
            found = (outcome.answers, outcome.closed, outcome.acts())
            outcome.wire.close()
            return None if found == expected else f"{told}, expected {expected}"
        failures = each(check)
        self.assertFalse(failures, "\n" + "\n".join(failures))

    def test_names_are_unique(self):
        names = [case.name for case in ALL]
        self.assertEqual(len(names), len(set(names)))

    def tearDown(self):
        self.assertTrue(SERVICE.lives())
        self.assertEqual(SERVICE.ask("/livez")["status"], "alive")
