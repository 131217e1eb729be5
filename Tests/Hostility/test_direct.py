"""Hostile requests to the service without a proxy: its responses, its actions, and its closing of the connection."""
import unittest

from cases import Outcome, failures_of
from corpus import ALL
from service import SERVICE


class Direct(unittest.TestCase):
    def test_every_hostile_request_gets_its_expected_responses_and_no_hidden_request_takes_effect(self):
        def check(case):
            case = case.for_library(SERVICE.library_version)
            outcome = Outcome(case, SERVICE.port, len(case.statuses), closes=case.closes)
            expected = (case.statuses, case.closes, (case.acts, case.acts_hidden))
            description = str(outcome)
            found = (outcome.statuses, outcome.is_closed, outcome.action_counts())
            outcome.wire.close()
            return None if found == expected else f"{description}, expected {expected}"
        failures = failures_of(check)
        self.assertFalse(failures, "\n" + "\n".join(failures))

    def test_the_names_of_the_cases_are_unique(self):
        names = [case.name for case in ALL]
        self.assertEqual(len(names), len(set(names)))

    def tearDown(self):
        self.assertTrue(SERVICE.is_running())
        self.assertEqual(SERVICE.request("GET", "/livez")["status"], "alive")
        SERVICE.assert_no_leaks()
