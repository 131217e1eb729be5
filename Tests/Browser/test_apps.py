"""The example apps on their pages."""
from cases import Case
from service import SERVICE
from user import eventually


class Pages(Case):
    def setUp(self):
        super().setUp()
        self.user.start("Pages")

    def test_a_session_begins_with_its_first_screen(self):
        self.assert_shows("First", buttons=["Next"], tree="first")

    def test_back_returns_from_the_screens_of_a_child(self):
        self.do("Next")
        self.assert_shows("Second", stack=["first", "second"], tree="first > second")
        self.do("To the third page")
        self.assert_shows("Third", stack=["first", "second", "third"], tree="first > second")
        self.do("Back to Second")
        self.assert_shows("Second", tree="first > second")

    def test_a_custom_back_action_equals_plain_back(self):
        for way in ("To the first page", "Back to First"):
            self.do("Next", way)
            self.assert_shows("First", tree="first", stack=["first"])

    def test_one_action_leads_from_the_third_screen_to_the_first(self):
        for _ in range(5):
            self.do("Next", "To the third page")
            self.assert_shows("Third")
            before = self.user.revision
            self.do("To the first page")
            self.assert_shows("First", revision=before + 1, stack=["first"], tree="first")

    def test_all_new_sessions_are_equal(self):
        other = SERVICE.request("POST", "/v1/sessions", {"app": "pages"})
        mine = self.user.view
        for part in ("screen", "actions", "navigation", "prompt"):
            unnamed = [str(view[part]).replace(view["session"]["id"], "ID") for view in (mine, other)]
            self.assertEqual(*unnamed)


class Shop(Case):
    def setUp(self):
        super().setUp()
        self.user.start("Shop")

    def test_back_cancels_a_purchase(self):
        self.do(("Product", "1"), "Buy")
        self.assert_shows("Buy", tree="tabs > [main > buy, learn]")
        self.do("Back to Home")
        self.assert_shows("Home", tree="tabs > [main, learn]")
        self.assertEqual(self.user.data["purchases"], [])

    def test_a_child_behind_another_tab_can_finish(self):
        self.do(("Product", "0"), "Buy", "Learn")
        self.assert_shows("Lessons", tree="tabs > [main > buy, learn]")
        self.do("Main", "Pay")
        self.assert_shows("Home", tree="tabs > [main, learn]")

    def test_a_child_has_several_screens(self):
        self.do("Create account")
        self.assert_shows("Your name", tree="tabs > [main > create-account, learn]")
        self.do(("Name", "Ann"), "Next")
        self.assert_shows("Confirm", tree="tabs > [main > create-account, learn]")
        self.do("Back to Your name")
        self.assert_shows("Your name", tree="tabs > [main > create-account, learn]")
        self.do("Back to Home")
        self.assert_shows("Home", tree="tabs > [main, learn]")

    def test_the_input_of_an_action_reaches_the_child(self):
        self.do(("Product", "7"), "Buy")
        self.assert_shows("Home")
        self.assertIn("“Product” must be at most 2.", self.user.alert)
        self.do(("Product", "2"), "Buy")
        self.assert_shows("Buy")
        self.assertEqual(self.user.data["selectedProduct"], 2)
        self.assertIn("You chose Lifetime.", self.user.text)

    def test_the_parent_receives_the_results_of_its_children(self):
        self.do(("Product", "1"), "Buy", "Pay")
        self.assert_shows("Home")
        self.assertEqual(self.user.data["purchases"], [1])
        self.assertIn("Yearly", self.user.text)
        self.do("Create account", ("Name", "Zoë"), "Next", "Sign up")
        self.assert_shows("Home")
        self.assertEqual(self.user.data["account"], "Zoë")
        self.assertIn("Welcome, Zoë!", self.user.text)

    def test_each_tab_keeps_its_stack(self):
        self.assert_shows("Home", tabs=["Main", "Learn"], selected_tab="Main")
        self.do(("Product", "0"), "Buy")
        self.assert_shows("Buy", tabs=["Main", "Learn"])
        self.do("Learn")
        self.assert_shows("Lessons", selected_tab="Learn")
        self.do("Main")
        self.assert_shows("Buy", selected_tab="Main")


class Tabs(Case):
    def setUp(self):
        super().setUp()
        self.user.start("Tabs")

    def nodes(self):
        root = SERVICE.request("GET", self.user.session + "/tree")["root"]
        return {child["name"]: child["id"] for child in root["children"]}

    def test_restart_replaces_the_children(self):
        before = self.nodes()
        self.do("Profile", "Restart")
        self.assert_shows("Home", tree="app > [home, profile]")
        after = self.nodes()
        self.assertEqual(set(before), set(after))
        self.assertFalse(set(before.values()) & set(after.values()))

    def test_the_detail_covers_the_tab_bar(self):
        before = self.nodes()
        self.do(("Detail", "seven"), "Open")
        self.assert_shows("Detail", tabs=[])
        self.assertEqual(self.user.data["detailId"], "seven")
        self.do("Close")
        self.assert_shows("Home", tabs=["Home", "Profile"], selected_tab="Home")
        # The same children remain, with the same ids.
        self.assertEqual(self.nodes(), before)


class Bank(Case):
    def setUp(self):
        super().setUp()
        self.user.start("Bank")

    def sign_in(self):
        self.do(("PIN", "1234"), "Sign in")

    def test_accounts_show_their_balances(self):
        self.assert_shows("Accounts", items=["Everyday 1,250.50", "Savings 8,200.00", "Travel 340.25"])
        self.assertFalse(self.user.button("Sign out").is_enabled())
        self.assertIn("You are signed out.", self.user.text)
        self.do("Savings 8,200.00")
        self.assert_shows("Savings", facts={"Balance": "8,200.00"})
        # Reselecting a tab pops it to its root.
        self.do("Accounts")
        self.assert_shows("Accounts", stack=["accounts"])

    def test_a_transfer_requires_signing_in(self):
        self.do("Transfer")
        self.assert_shows("Sign in", tabs=[], tree="bank > [accounts, inbox, sign-in]")
        self.sign_in()
        self.assert_shows("Recipient", tree="bank > [accounts, inbox, transfer]")
        self.do(("Recipient", "Bob"), "Next")
        self.assert_shows("Amount")
        self.do(("Amount", "0"), "Next")
        self.assertIn("“Amount” must be greater than 0.", self.user.alert)
        self.do(("Amount", "250.50"), "Next")
        self.assert_shows("Review", facts={"To": "bob", "Amount": "250.50"})
        self.do("Transfer now")
        # The screen is sealed: its button is the only way out.
        self.assert_shows("Receipt", buttons=["Done"])
        self.do("Done")
        self.assert_shows("Accounts", tree="bank > [accounts, inbox]")
        self.assertIn("Everyday 1,000.00", self.user.items)
        self.assertTrue(self.user.button("Sign out").is_enabled())
        self.do("Sign out")
        self.assert_shows("Accounts")
        self.assertFalse(self.user.button("Sign out").is_enabled())

    def test_dismissing_the_sign_in_drops_the_pending_intent(self):
        self.do("Transfer", "Close")
        self.assert_shows("Accounts", tree="bank > [accounts, inbox]")

    def test_leaving_a_transfer_asks_for_confirmation(self):
        self.do("Transfer")
        self.sign_in()
        self.do(("Recipient", "Carol"), "Next", "Back to Recipient")
        self.assert_shows("Amount", prompt="Leave this transfer?")
        self.do("Stay")
        self.assert_shows("Amount", prompt=None)
        self.do("Back to Recipient", "Leave")
        self.assert_shows("Recipient", prompt=None)

    def test_the_inbox_counts_unread_messages(self):
        self.do("Inbox 3")
        for left, message in ((2, "Welcome"), (1, "Your statement"), (None, "New rates")):
            self.do(f"{message} New")
            self.assert_shows(message, tabs=["Accounts", f"Inbox {left}" if left else "Inbox"])
            self.do("Back to Inbox")
            self.assert_shows("Inbox")

    def test_links_open_screens_with_a_way_back(self):
        for link, title, back in (
            ("/accounts/a2", "Savings", "Back to Accounts"), ("/inbox/m1", "Welcome", "Back to Inbox")):
            session = SERVICE.request("POST", "/v1/sessions", {"app": "bank", "link": link})["links"]["self"]
            self.user.session = session
            self.user.driver.get(SERVICE.address + session)
            self.assert_shows(title)
            self.do(back)
            self.assert_shows(back.removeprefix("Back to "))
        self.user.session = SERVICE.request(
            "POST", "/v1/sessions", {"app": "bank", "link": "/transfer"})["links"]["self"]
        self.user.driver.get(SERVICE.address + self.user.session)
        self.assert_shows("Sign in")
        self.sign_in()
        self.assert_shows("Recipient")


class Checkout(Case):
    """The app with a backend. The pages change by themselves, without JavaScript after two or five seconds."""

    def setUp(self):
        super().setUp()
        self.addCleanup(SERVICE.backend.fail, count=0, seconds=120)
        self.user.start("Checkout")

    def ask_for_price(self):
        self.assert_comes("Tickets", items=["Day ticket 4.50", "Week ticket 18.00", "Month ticket 54.00"])
        self.do("Week ticket 18.00")
        self.assert_comes("Your ticket", facts={"Ticket": "Week ticket", "Price": "18.00"})

    def pay(self):
        self.do("Pay")
        self.assert_comes("Pay", buttons=["Back to Your ticket"])
        return self.user.data["page"]

    def test_a_ticket_is_paid_on_another_page(self):
        SERVICE.backend.fail(count=2)
        self.ask_for_price()
        self.pay()
        self.user.driver.find_element("link text", "Open the payment page").click()
        self.user.driver.switch_to.window(self.user.driver.window_handles[-1])
        self.do("Pay")
        self.assertIn("18.00: paid.", self.user.driver.find_element("tag name", "body").text)
        self.user.driver.get(SERVICE.address + self.user.session)
        self.assert_comes("Thank you", buttons=["Buy another ticket"])
        self.do("Buy another ticket")
        self.assert_shows("Tickets")

    def test_the_page_changes_once_the_payment_has_arrived(self):
        self.ask_for_price()
        page = self.pay()
        SERVICE.backend.settle(page, "decline")
        self.assert_comes("Not paid", buttons=["Back to Your ticket", "Try again"])
        self.do("Try again")
        self.assert_comes("Pay")
        SERVICE.backend.settle(self.user.data["page"])
        self.assert_comes("Thank you")

    def test_a_price_expires(self):
        SERVICE.backend.fail(count=0, seconds=1)
        self.ask_for_price()
        self.assertTrue(eventually(lambda: self.user.data["hasExpired"]))
        self.user.driver.get(SERVICE.address + self.user.session)
        self.assertIn("This price is no longer valid.", self.user.text)
        SERVICE.backend.fail(count=0, seconds=120)
        self.do("Ask again")
        self.assert_comes("Your ticket")
        self.assertFalse(self.user.data["hasExpired"])

    def test_a_backend_that_is_away_is_shown_and_another_attempt_succeeds(self):
        SERVICE.backend.fail(count=4)
        self.assert_comes("Tickets", items=["Day ticket 4.50", "Week ticket 18.00", "Month ticket 54.00"])
        self.do("Day ticket 4.50")
        self.assert_comes("No price", buttons=["Back to Tickets", "Ask again"])
        self.do("Ask again")
        self.assert_comes("Your ticket")
