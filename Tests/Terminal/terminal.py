"""Drives `usher play` in a real terminal, tmux, through the example apps. Called by script/terminal."""
import os, subprocess, sys, tempfile, time, unittest, uuid

USHER = os.environ["USHER"]
PATIENCE = 10


class Terminal:
    """A terminal of 80 columns and 30 lines, on a server of its own."""

    def __init__(self, *command):
        self.name = f"usher-{uuid.uuid4()}"
        self.tmux("new-session", "-d", "-x", "80", "-y", "30", "-s", "it", *command)

    def tmux(self, *command):
        return subprocess.run(["tmux", "-L", self.name, *command], capture_output=True, text=True, timeout=20).stdout

    @property
    def screen(self):
        return self.tmux("capture-pane", "-p", "-t", "it")

    def type(self, line):
        self.tmux("send-keys", "-t", "it", "-l", line)
        self.tmux("send-keys", "-t", "it", "Enter")

    def close(self):
        self.tmux("kill-server")


class Play(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        command = [USHER, "serve", "--port", "0", "--store", "memory"]
        cls.service = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        cls.address = cls.service.stdout.readline().split()[-1]

    @classmethod
    def tearDownClass(cls):
        cls.service.terminate()
        cls.service.wait(20)
        cls.service.stdout.close()

    def open(self, *arguments):
        # What the program leaves behind stays to be seen.
        command = " ".join([USHER, "play", *arguments])
        self.terminal = Terminal("sh", "-c", f"{command}; echo ended with $?; sleep 60")
        self.addCleanup(self.terminal.close)

    def sees(self, *texts):
        end = time.monotonic() + PATIENCE
        while not all(text in self.terminal.screen for text in texts):
            if time.monotonic() > end:
                self.fail(f"{texts} are not all there:\n{self.terminal.screen}")
            time.sleep(0.05)

    def does(self, *steps):
        """Each step is what is typed, and what is to be seen then."""
        for typed, *texts in steps:
            self.terminal.type(typed)
            self.sees(*texts)

    def test_shop(self):
        self.open(self.address, "--app", "shop")
        self.sees("[Main]  Learn", "Home\n====", "1   Buy (Product)", "2   Create account", ">")
        self.does(
            ("1", "0 is Monthly, 1 is Yearly, 2 is Lifetime.", "Product:"), ("7", "* Product is above 2."),
            ("1", "Product:"), ("1", "Buy\n===", "You chose Yearly.", "b   Back to Home"),
            ("1", "Home\n====", "• Yearly"),
            ("2", "Your name\n========="), ("1", "Name:"), ("Zoë", "Confirm\n=======", "Name  Zoë"), ("b", "Your name"),
            ("1", "Name:"), ("Ann", "Name  Ann"), ("1", "Welcome, Ann!"), ("t2", "Main  [Learn]", "Lessons"),
            ("t1", "Home\n===="), ("nope", "There is no nope here"), ("q", "The session goes on at http://", "ended with 0"))

    def test_bank(self):
        self.open(self.address, "--app", "bank")
        self.sees("[Accounts]  Inbox (3)", "Everyday  1,250.50", "Sign out: You are signed out.")
        self.does(
            ("1", "1  Everyday", "2  Savings", "Account:"), ("2", "Balance  8,200.00"), ("b", "Accounts\n========"),
            ("2", "Sign in\n=======", "x   Close"), ("x", "Accounts\n========"),
            ("2", "Sign in"), ("1", "PIN:"), ("12", "* PIN is shorter than 4 characters."), ("1", "PIN:"),
            ("1234", "Recipient\n========="), ("1", "2  Bob"), ("bob", "Amount\n======"),
            ("b", "Leave this transfer?\n--------------------", "1   Leave", "2   Stay"), ("2", "Amount\n======", "1   Next"),
            ("1", "Amount:"), ("250.5", "Review\n======", "250.50"), ("1", "Receipt", "(+) 250.50 is on its way to bob.", "1   Done"),
            ("1", "Everyday  1,000.00", "Sign out"),
            ("t2", "[Inbox (3)]", "• Welcome – New"), ("1", "Message:"), ("Welcome", "Good to have you with us."),
            ("b", "[Inbox (2)]"))

    def test_a_secret_is_hidden_as_it_is_typed(self):
        self.open(self.address, "--app", "bank")
        self.sees("Accounts\n========")
        self.does(("2", "Sign in\n======="), ("1", "PIN:"))
        self.terminal.tmux("send-keys", "-t", "it", "-l", "98")
        # Nothing tells when it would have been shown.
        time.sleep(0.5)
        self.assertNotIn("98", self.terminal.screen)
        self.does(("76", "Recipient\n=========", "1   Next"), ("nope", "There is no nope here"))
        self.assertNotIn("76", self.terminal.screen)

    def test_an_interrupted_secret_leaves_a_terminal_that_shows_what_is_typed(self):
        command = f"trap : INT; {USHER} play {self.address} --app bank; stty -a; sleep 60"
        self.terminal = Terminal("sh", "-c", command)
        self.addCleanup(self.terminal.close)
        self.sees("Accounts\n========")
        self.does(("2", "Sign in\n======="), ("1", "PIN:"))
        self.terminal.tmux("send-keys", "-t", "it", "C-c")
        self.sees(" echo ", " icanon ")

    def test_a_session_that_somebody_else_uses_too(self):
        self.open(self.address)
        self.sees("Which app?", "4  Bank")
        self.does(("2", "Home\n===="), ("q", "The session goes on at "))
        session = self.terminal.screen.split("goes on at ")[1].split()[0]
        self.open(session)
        self.sees("Home\n====")
        subprocess.run(["curl", "-sf", "-X", "POST", f"{session}/tabs/learn"], check=True, capture_output=True)
        # What was shown has become stale.
        self.does(("2", "* The session has moved on.", "Lessons\n======="), ("t1", "Home\n===="))
        subprocess.run(["curl", "-sf", "-X", "DELETE", session], check=True)
        self.does(("2", "expired or was ended", "ended with 1"))

    def test_what_cannot_be_reached_says_so(self):
        for arguments, text in ((("http://127.0.0.1:1",), "usher: "), (("nonsense",), "is no address"), ((self.address, "--app", "x"), "No app of this name")):
            self.open(*arguments)
            self.sees(text)


if __name__ == "__main__":
    unittest.main()
