"""The behaviours of the seeds, row by row, through the pages. Row 17 is about Swift alone."""
from cases import Case
from service import SERVICE


class Pages(Case):
    def setUp(self):
        super().setUp()
        self.person.start("Pages")

    def test_1_a_session_begins_with_its_first_screen(self):
        self.shows("First", buttons=["Next"], tree="first")

    def test_2_3_4_children_and_plain_back(self):
        self.do("Next")
        self.shows("Second", stack=["first", "second"], tree="first > second")
        self.do("To the third page")
        self.shows("Third", stack=["first", "second", "third"], tree="first > second")
        self.do("Back to Second")
        self.shows("Second", tree="first > second")

    def test_5_own_back_and_plain_back_are_the_same(self):
        for way in ("To the first page", "Back to First"):
            self.do("Next", way)
            self.shows("First", tree="first", stack=["first"])

    def test_6_from_the_third_to_the_first_at_once_and_again(self):
        for _ in range(5):
            self.do("Next", "To the third page")
            self.shows("Third")
            before = self.person.revision
            self.do("To the first page")
            self.shows("First", revision=before + 1, stack=["first"], tree="first")

    def test_7_whoever_creates_it_gets_the_same(self):
        other = SERVICE.ask("/v1/sessions", "POST", {"app": "pages"})
        mine = self.person.view
        for part in ("screen", "actions", "navigation", "prompt"):
            unnamed = [str(view[part]).replace(view["session"]["id"], "ID") for view in (mine, other)]
            self.assertEqual(*unnamed)


class Shop(Case):
    def setUp(self):
        super().setUp()
        self.person.start("Shop")

    def test_8_10_buying_is_a_child_that_back_ends(self):
        self.do(("Product", "1"), "Buy")
        self.shows("Buy", tree="tabs > [main > buy, learn]")
        self.do("Back to Home")
        self.shows("Home", tree="tabs > [main, learn]")
        self.assertEqual(self.person.data["purchases"], [])

    def test_9_any_child_can_end(self):
        self.do(("Product", "0"), "Buy", "Learn")
        self.shows("Lessons", tree="tabs > [main > buy, learn]")
        self.do("Main", "Pay")
        self.shows("Home", tree="tabs > [main, learn]")

    def test_11_12_13_a_child_with_several_screens(self):
        self.do("Create account")
        self.shows("Your name", tree="tabs > [main > create-account, learn]")
        self.do(("Name", "Ann"), "Next")
        self.shows("Confirm", tree="tabs > [main > create-account, learn]")
        self.do("Back to Your name")
        self.shows("Your name", tree="tabs > [main > create-account, learn]")
        self.do("Back to Home")
        self.shows("Home", tree="tabs > [main, learn]")

    def test_14_the_product_reaches_the_child(self):
        self.do(("Product", "7"), "Buy")
        self.shows("Home")
        self.assertIn("Product must be at most 2.", self.person.alert)
        self.do(("Product", "2"), "Buy")
        self.shows("Buy")
        self.assertEqual(self.person.data["selectedProduct"], 2)
        self.assertIn("You chose Lifetime.", self.person.text)

    def test_15_the_parent_goes_on(self):
        self.do(("Product", "1"), "Buy", "Pay")
        self.shows("Home")
        self.assertEqual(self.person.data["purchases"], [1])
        self.assertIn("Yearly", self.person.text)
        self.do("Create account", ("Name", "Zoë"), "Next", "Sign up")
        self.shows("Home")
        self.assertEqual(self.person.data["account"], "Zoë")
        self.assertIn("Welcome, Zoë!", self.person.text)

    def test_16_each_tab_keeps_its_stack(self):
        self.shows("Home", tabs=["Main", "Learn"], selected_tab="Main")
        self.do(("Product", "0"), "Buy")
        self.shows("Buy", tabs=["Main", "Learn"])
        self.do("Learn")
        self.shows("Lessons", selected_tab="Learn")
        self.do("Main")
        self.shows("Buy", selected_tab="Main")


class Tabs(Case):
    def setUp(self):
        super().setUp()
        self.person.start("Tabs")

    def nodes(self):
        root = SERVICE.ask(self.person.session + "/tree")["root"]
        return {child["name"]: child["id"] for child in root["children"]}

    def test_18_restart_replaces_the_children(self):
        before = self.nodes()
        self.do("Profile", "Restart")
        self.shows("Home", tree="app > [home, profile]")
        after = self.nodes()
        self.assertEqual(set(before), set(after))
        self.assertFalse(set(before.values()) & set(after.values()))

    def test_19_20_the_detail_covers_the_tab_bar(self):
        before = self.nodes()
        self.do(("Detail", "seven"), "Open")
        self.shows("Detail", tabs=[])
        self.assertEqual(self.person.data["detailId"], "seven")
        self.do("Close")
        self.shows("Home", tabs=["Home", "Profile"], selected_tab="Home")
        # Row 21: children are kept, and their ids are stable.
        self.assertEqual(self.nodes(), before)


class Bank(Case):
    def setUp(self):
        super().setUp()
        self.person.start("Bank")

    def sign_in(self):
        self.do(("PIN", "1234"), "Sign in")

    def test_accounts(self):
        self.shows("Accounts", facts={"Everyday": "1,250.50", "Savings": "8,200.00", "Travel": "340.25"})
        self.assertFalse(self.person.button("Sign out").is_enabled())
        self.assertIn("You are signed out.", self.person.text)
        self.do(("Account", "Savings"), "Open")
        self.shows("Savings", facts={"Balance": "8,200.00"})
        # Selecting the selected tab pops it to its root.
        self.do("Accounts")
        self.shows("Accounts", stack=["accounts"])

    def test_a_guarded_transfer_from_start_to_end(self):
        self.do("Transfer")
        self.shows("Sign in", tabs=[], tree="bank > [accounts, inbox, sign-in]")
        self.sign_in()
        self.shows("Recipient", tree="bank > [accounts, inbox, transfer]")
        self.do(("Recipient", "Bob"), "Next")
        self.shows("Amount")
        self.do(("Amount", "0"), "Next")
        self.assertIn("Amount must be greater than 0.", self.person.alert)
        self.do(("Amount", "250.50"), "Next")
        self.shows("Review", facts={"To": "bob", "Amount": "250.50"})
        self.do("Transfer now")
        # Sealed: no way but the one button.
        self.shows("Receipt", buttons=["Done"])
        self.do("Done")
        self.shows("Accounts", tree="bank > [accounts, inbox]")
        self.assertEqual(self.person.facts["Everyday"], "1,000.00")
        self.assertTrue(self.person.button("Sign out").is_enabled())
        self.do("Sign out")
        self.shows("Accounts")
        self.assertFalse(self.person.button("Sign out").is_enabled())

    def test_dismissing_the_sign_in_drops_the_wish(self):
        self.do("Transfer", "Close")
        self.shows("Accounts", tree="bank > [accounts, inbox]")

    def test_a_transfer_asks_before_it_is_left(self):
        self.do("Transfer")
        self.sign_in()
        self.do(("Recipient", "Carol"), "Next", "Back to Recipient")
        self.shows("Amount", prompt="Leave this transfer?")
        self.do("Stay")
        self.shows("Amount", prompt=None)
        self.do("Back to Recipient", "Leave")
        self.shows("Recipient", prompt=None)

    def test_the_inbox_counts_what_is_unread(self):
        self.do("Inbox 3")
        for left, message in ((2, "Welcome"), (1, "Your statement"), (None, "New rates")):
            self.do(("Message", message), "Read")
            self.shows(message, tabs=["Accounts", f"Inbox {left}" if left else "Inbox"])
            self.do("Back to Inbox")
            self.shows("Inbox")
        # The message itself has no actions.

    def test_links(self):
        for link, title, back in (("/accounts/a2", "Savings", "Back to Accounts"), ("/inbox/m1", "Welcome", "Back to Inbox")):
            session = SERVICE.ask("/v1/sessions", "POST", {"app": "bank", "link": link})["links"]["self"]
            self.person.session = session
            self.person.driver.get(SERVICE.address + session)
            self.shows(title)
            self.do(back)
            self.shows(back.removeprefix("Back to "))
        self.person.session = SERVICE.ask("/v1/sessions", "POST", {"app": "bank", "link": "/transfer"})["links"]["self"]
        self.person.driver.get(SERVICE.address + self.person.session)
        self.shows("Sign in")
        self.sign_in()
        self.shows("Recipient")
