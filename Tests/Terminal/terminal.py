"""Drives the terminal client `usher play` in tmux, and connects it and `usher health` to faulty servers."""
import os, signal, socket, ssl, subprocess, tempfile, threading, time, unittest, uuid
from backend import Backend
from outbreak import OutbreakService
from usher import Service

USHER = os.environ["USHER"]
# Seconds.
TIMEOUT = 30
# An action ends the session.
FINISHING_FLOW = """
usher: 1
app: visit
root: main
coordinators:
  main:
    result: {name: {type: string}}
    start: [{push: home}]
    handles: {end: [{finish: {name: Ann}}]}
screens: {home: {actions: {end: }}}
"""


class Terminal:
    """A terminal on a tmux server of its own."""

    def __init__(self, *command, columns=80, lines=30):
        self.name = f"usher-{uuid.uuid4()}"
        self.tmux("new-session", "-d", "-x", str(columns), "-y", str(lines), "-s", "client", *command)

    def tmux(self, *command):
        return subprocess.run(["tmux", "-L", self.name, *command], capture_output=True, text=True, timeout=20).stdout

    @property
    def screen(self):
        return self.tmux("capture-pane", "-p", "-t", "client")

    def type(self, line):
        self.tmux("send-keys", "-t", "client", "-l", line)
        self.press("Enter")

    def press(self, key):
        self.tmux("send-keys", "-t", "client", key)

    def close(self):
        self.tmux("kill-server")


class Play(unittest.TestCase):
    """`usher play` in a terminal."""

    @classmethod
    def setUpClass(cls):
        cls.backend = Backend()
        cls.addClassCleanup(cls.backend.stop)
        service = Service(cls.backend.option)
        cls.addClassCleanup(service.stop)
        cls.address = service.address

    def open(self, *arguments, environment="", **size):
        # The sleep keeps the final output on the screen.
        command = " ".join(["env", environment, USHER, "play", *arguments])
        self.terminal = Terminal("sh", "-c", f"trap : INT; {command}; echo ended with $?; sleep 60", **size)
        self.addCleanup(self.terminal.close)

    @property
    def session(self):
        """The URL of the session that the program prints at its end."""
        return self.terminal.screen.split("usher play ")[1].split()[0]

    def assert_shows(self, *texts):
        end = time.monotonic() + TIMEOUT
        while not all(text in self.terminal.screen for text in texts):
            if time.monotonic() > end:
                self.fail(f"The screen lacks some of {texts}:\n{self.terminal.screen}")
            time.sleep(0.05)

    def enter(self, *steps):
        """Takes steps, each a typed line and the texts that the screen shows afterwards."""
        for typed, *texts in steps:
            self.terminal.type(typed)
            self.assert_shows(*texts)

    def test_a_visit_to_shop(self):
        self.open(self.address, "--app", "shop")
        self.assert_shows("[Main]  Learn", "Home\n====", "1   Buy (Product)", "2   Create account", ">")
        self.enter(
            ("1", "0 is Monthly, 1 is Yearly, 2 is Lifetime.", "Product:"), ("7", "* “Product” must be at most 2."),
            ("1", "Product [7]:"), ("1", "Buy\n===", "You chose Yearly.", "b   Back to Home"),
            ("1", "Home\n====", "• Yearly"),
            ("2", "Your name\n========="), ("1", "Name:"), ("Zoë", "Confirm\n=======", "Name  Zoë"), ("b", "Your name"),
            ("1", "Name:"), ("Ann", "Name  Ann"), ("1", "Welcome, Ann!"), ("t2", "Main  [Learn]", "Lessons"),
            ("t1", "Home\n===="), ("nope", "There is no nope here"),
            ("q", "The session goes on.", "  usher play http://", "ended with 0"))

    def test_a_visit_to_bank(self):
        self.open(self.address, "--app", "bank")
        self.assert_shows("[Accounts]  Inbox (3)", "2   Everyday – 1,250.50", "Sign out: You are signed out.")
        self.enter(
            ("3", "Balance  8,200.00"), ("b", "Accounts\n========", "1   Transfer"),
            ("1", "Sign in\n=======", "x   Close"), ("x", "Accounts\n========"),
            ("1", "Sign in"), ("1", "4 digits.", "PIN:"), ("12", "* “PIN” must be 4 digits."), ("1", "PIN:"),
            ("1234", "Recipient\n========="), ("1", "2  Bob"), ("bob", "Amount\n======"),
            ("b", "Leave this transfer?\n--------------------", "1   Leave", "2   Stay"),
            ("2", "Amount\n======", "1   Next"),
            ("1", "Amount:"), ("250.5", "Review\n======", "250.50"),
            ("1", "Receipt", "(+) 250.50 is on its way to bob.", "1   Done"),
            ("1", "1   Transfer", "2   Sign out", "3   Everyday – 1,000.00"),
            ("t2", "[Inbox (3)]", "1   Welcome – New"), ("1", "Good to have you with us."),
            ("b", "[Inbox (2)]"))

    def test_a_form_begins_with_what_was_typed_before(self):
        self.open(self.address, "--app", "gallery")
        self.assert_shows("Welcome!")
        self.enter(
            ("2", "More fields\n===========", "1   Send"), ("1", "E-mail:"), ("ann@example.com", "Phone (optional):"),
            ("123", "Web site"), ("", "Date of birth"), ("", "Passport number"), ("", "Arrival:"),
            ("2026-12-01", "Time of arrival"), ("", "Nights [2]:"), ("", "Train"), ("", "(EUR):"),
            ("99.50", "Extras"), ("parking", "Room:"), ("2", "Note"), ("", "I accept the terms"),
            ("yes", "Your stay", "Nights", "99.50 EUR"), ("b", "2   Forget my stay"),
            ("1", "E-mail [ann@example.com]:"), ("", "Phone [123]:"), (" ", "Web site"), ("", "Date of birth"),
            ("", "Passport number"), ("", "Arrival [2026-12-01]:"), ("", "Time of arrival"), ("", "[2]:"), ("3", "Train"),
            ("", "(EUR) [99.50]:"), ("", "[Parking]:"), ("", "Room [Medium, for two]:"), ("", "Note"),
            ("", "I accept the terms (yes or no) [yes]:"), ("", "Your stay", "Phone  ", "not given", "Nights"))

    def test_a_question_is_asked_if_it_applies(self):
        service = OutbreakService()
        self.addCleanup(service.close)
        self.open(service.address, "--app", "outbreak")
        self.assert_shows("1   Continue (What kind of home is it?, Which kind? (if it applies))")
        self.enter(
            ("1", "What kind of home is it?:"), ("1", "Is any test positive?\n====="), ("b", "Which kind? (if"),
            ("1", "What kind of home is it? [Care home]:"), ("3", "Which kind?:"),
            ("", "\n* Write which kind of home it is.\n\n>"), ("1", "What kind of home is it? [Other]:"),
            ("", "    * Write which kind of home it is.\n  Which kind?:"),
            ("Day centre", "Is any test positive?\n====="))

    def test_an_answer_that_is_not_offered_is_not_the_next_default(self):
        self.open(self.address, "--app", "gallery")
        self.assert_shows("Welcome!")
        self.enter(
            ("2", "More fields\n==========="), ("1", "E-mail:"), ("ann@example.com", "Phone"), ("", "Web site"),
            ("", "Date of birth"), ("", "Passport number"), ("", "Such as 2026-11-25.\n  Arrival:"),
            ("2026-12-01", "Such as 09:30.\n  Time of arrival"), ("", "Nights"), ("", "Train"), ("", "(EUR):"),
            ("99.50", "Extras"), ("parking", "Room:"), ("9", "Note"), ("", "I accept the terms (yes or no):"),
            ("maybe", "    * Answer with yes or no.\n  I accept the terms (yes or no):"), ("yes", "\n* Choose a room."),
            ("1", "E-mail [ann@example.com]:"), ("", "Phone (optional):"), ("", "Web site"), ("", "Date of birth"),
            ("", "Passport number"), ("", "Arrival [2026-12-01]:"), ("", "Time of arrival"), ("", "Nights"),
            ("", "Train"), ("", "(EUR) [99.50]:"), ("", "Extras"), ("", "\n  Room:"))

    def test_a_form_is_left_with_the_end_of_the_input(self):
        self.open(self.address, "--app", "shop")
        self.assert_shows("Home\n====")
        self.enter(("2", "Your name\n========="), ("1", "Ctrl-D leaves this form.", "Name:"))
        self.terminal.press("C-d")
        self.assert_shows("Your name\n=========", "\n>\n")
        self.assertNotIn("Name:", self.terminal.screen)
        self.enter(("1", "Name:"), ("q", "Name  q"))
        self.terminal.press("C-d")
        self.assert_shows("  usher play http://", "ended with 0")

    def test_lines_are_broken_between_words(self):
        self.open(self.address, "--app", "shop", columns=40)
        self.assert_shows("Home\n====")
        self.enter(
            ("no such key", "* There is no no such key here: type one\n  of the keys, or q.\n\n>"),
            ("2", "Your name"), ("1", "Name:"),
            ("a " * 15 + "b" * 40, "\n  Name  a a", "\n        " + "b" * 32 + "\n        " + "b" * 8 + "\n"))

    def test_a_notice_is_below_a_view_that_is_longer_than_the_terminal(self):
        self.open(self.address, "--app", "bank", lines=8)
        self.assert_shows("t2  Inbox (3)")
        self.enter(("99", "\n* There is no 99 here: type one of the keys, or q.\n\n>"))

    def test_the_environment_chooses_the_language(self):
        for variables in ("LC_ALL= LANG=de_DE.UTF-8", "LC_ALL= LC_MESSAGES=de_AT LANG=en_US", "LC_ALL=de LANG=en_US"):
            self.open(self.address, environment=variables)
            self.assert_shows("Welche App?")
        self.enter(
            ("nope", "Geben Sie eine der Nummern ein"), ("shop", "Home\n===="), ("nope", "nope gibt es hier nicht."))

    def test_a_stalled_backend_does_not_stop_the_user(self):
        backend = Backend()
        self.addCleanup(backend.stop)
        service = Service(backend.option)
        self.addCleanup(service.stop)
        self.open(service.address, "--app", "checkout")
        self.assert_shows("1   Day ticket – 4.50")
        backend.process.send_signal(signal.SIGSTOP)
        self.enter(("1", "One moment\n==========", "Working on it …", "\n>"))
        self.assertNotIn("fetch-quote", self.terminal.screen)
        backend.process.send_signal(signal.SIGCONT)
        self.assert_shows("Price   4.50")
        self.enter(("b", "1   Day ticket – 4.50"))
        backend.process.send_signal(signal.SIGSTOP)
        self.enter(("1", "One moment\n==========", "Working on it …"), ("b", "Tickets\n======="))

    def test_every_way_out_names_the_session(self):
        service = start_service()
        self.addCleanup(service.kill)
        self.open(service.address, "--app", "shop")
        self.assert_shows("Home\n====")
        self.terminal.press("C-c")
        self.assert_shows("The session goes on.", "  usher play http://", "ended with 130")
        session = self.session
        self.open(session)
        self.assert_shows("Home\n====")
        service.kill()
        self.enter(("2", "cannot be reached", f"  usher play {session}\n", "ended with 1"))

    def test_a_ticket_is_paid_on_another_page(self):
        self.backend.fail(count=2)
        self.open(self.address, "--app", "checkout")
        self.assert_shows("Tickets\n=======", "1   Day ticket – 4.50", "3   Month ticket – 54.00")
        self.enter(
            ("2", "Your ticket\n===========", "Price   18.00"),
            ("1", "Pay\n===", "Please pay 18.00.", "/payments/"))
        payment = self.backend.payments()[-1]["id"]
        self.backend.settle(f"{self.backend.address}/payments/{payment}", "decline")
        self.assert_shows("Not paid\n========", "The payment was declined.")
        self.enter(("1", "Pay\n==="))
        payment = self.backend.payments()[-1]["id"]
        self.backend.settle(f"{self.backend.address}/payments/{payment}")
        self.assert_shows("Thank you\n=========", payment)

    def test_a_long_list_has_pages(self):
        backend = Backend("--tickets", "120")
        self.addCleanup(backend.stop)
        service = Service(backend.option)
        self.addCleanup(service.stop)
        self.open(service.address, "--app", "checkout")
        self.assert_shows("50  Season ticket, seat 50 – 300.50", "50 of 120", "n   Next page")
        self.enter(
            ("n", "50  Season ticket, seat 100 – 301.00", "p   Previous page"),
            ("n", "1   Season ticket, seat 101 – 301.01", "20 of 120"),
            ("20", "Your ticket\n===========", "Price   301.20"), ("b", "50  Season ticket, seat 50"))

    def test_a_backend_that_is_away_is_shown_with_a_key_to_try_again(self):
        backend = Backend()
        backend.stop()
        service = Service(backend.option)
        self.addCleanup(service.stop)
        self.open(service.address, "--app", "checkout")
        self.assert_shows("(X) The ticket office does not answer.", "r1  Try again")
        backend = Backend("--port", backend.address.rsplit(":", 1)[1])
        self.addCleanup(backend.stop)
        self.enter(("r1", "1   Day ticket – 4.50"))

    def test_a_secret_is_not_echoed(self):
        self.open(self.address, "--app", "bank")
        self.assert_shows("Accounts\n========")
        self.enter(("1", "Sign in\n======="), ("1", "PIN:"))
        self.terminal.tmux("send-keys", "-t", "client", "-l", "98")
        # An echo would appear within this time.
        time.sleep(0.5)
        self.assertNotIn("98", self.terminal.screen)
        self.enter(("76", "Recipient\n=========", "1   Next"), ("nope", "There is no nope here"))
        self.assertNotIn("76", self.terminal.screen)

    def test_an_interrupt_during_a_secret_restores_the_echo(self):
        command = f"trap : INT; {USHER} play {self.address} --app bank; stty -a; sleep 60"
        self.terminal = Terminal("sh", "-c", command)
        self.addCleanup(self.terminal.close)
        self.assert_shows("Accounts\n========")
        self.enter(("1", "Sign in\n======="), ("1", "PIN:"))
        self.terminal.press("C-c")
        self.assert_shows(" echo ", " icanon ", "  usher play http://")

    def test_two_clients_share_a_session(self):
        self.open(self.address)
        self.assert_shows("Which app?", "4  Bank")
        self.enter(("2", "Home\n===="), ("q", "The session goes on."))
        session = self.session
        self.open(session)
        self.assert_shows("Home\n====")
        self.enter(("2", "Your name\n========="), ("1", "Name:"))
        subprocess.run(["curl", "-sf", "-X", "POST", f"{session}/tabs/learn"], check=True, capture_output=True)
        # The form is that of a stale revision.
        self.enter(("Ann", "Lessons\n=======", "* The session has moved on."))
        subprocess.run(["curl", "-sf", "-X", "POST", f"{session}/tabs/main"], check=True, capture_output=True)
        self.assert_shows("Your name\n=========")
        self.enter(("1", "Name [Ann]:"), ("", "Confirm\n======="))
        subprocess.run(["curl", "-sf", "-X", "DELETE", session], check=True)
        self.enter(("b", "expired or was ended", "ended with 1"))
        self.assertNotIn("usher play", self.terminal.screen)

    def test_a_line_that_the_user_has_begun_stays_when_the_session_changes(self):
        self.open(self.address, "--app", "shop")
        self.assert_shows("Home\n====")
        self.enter(("q", "The session goes on."))
        session = self.session
        # The views are shorter than the first terminal, and longer than the second one.
        for lines in (30, 7):
            self.open(session, lines=lines)
            self.assert_shows("2   Create account", "\n>")
            self.terminal.tmux("send-keys", "-t", "client", "-l", "nox")
            self.assert_shows("\n> nox")
            for tab, text in (("learn", "Your lessons will be here."), ("main", "2   Create account")):
                subprocess.run(["curl", "-sf", "-X", "POST", f"{session}/tabs/{tab}"], check=True, capture_output=True)
                self.assert_shows(text, "\n> nox")
                self.assertEqual(self.terminal.screen.count("\n>"), 1)
            self.assertNotIn("Your lessons", self.terminal.screen)
            self.terminal.press("BSpace")
            self.assert_shows("\n> no\n")
            self.enter(("pe", "\n* There is no nope here: type one of the keys, or q.\n\n>"))

    def test_a_shell_does_not_read_the_line_that_the_user_has_begun(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        os.mkdir(f"{folder.name}/visit")
        with open(f"{folder.name}/visit/flow.yaml", "w") as file:
            file.write(FINISHING_FLOW)
        service = Service("--flows", folder.name)
        self.addCleanup(service.stop)
        self.open(service.address, "--app", "visit")
        self.assert_shows("Home\n====")
        self.enter(("q", "The session goes on."))
        session = self.session
        command = f'{USHER} play {session}; read line; echo "read <$line>"; sleep 60'
        self.terminal = Terminal("sh", "-c", command)
        self.addCleanup(self.terminal.close)
        self.assert_shows("Home\n====", "\n>")
        self.terminal.tmux("send-keys", "-t", "client", "-l", "nope")
        self.assert_shows("\n> nope")
        subprocess.run(["curl", "-sf", "-X", "POST", f"{session}/actions/end"], check=True, capture_output=True)
        self.assert_shows("The session has finished.")
        self.terminal.press("Enter")
        self.assert_shows("read <>")

    def test_a_failed_start_is_reported(self):
        for arguments, text in (
            (("http://127.0.0.1:1",), "usher: "), (("nonsense",), "is not a URL"),
            ((self.address, "--app", "x"), "No app of this name is hosted. The apps are: ")):
            self.open(*arguments)
            self.assert_shows(text)


class Server:
    """A server on the loopback interface that sends the same bytes to each client."""

    def __init__(self, response=b"", context=None):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.response, self.context, self.requests = response, context, []
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                try:
                    if self.context:
                        connection = self.context.wrap_socket(connection, server_side=True)
                    self.requests.append(connection.recv(65536).decode())
                    connection.sendall(self.response)
                    connection.close()
                except OSError:
                    pass

    def close(self):
        self.listener.close()


def start_service(*options):
    return Service(*options, errors=subprocess.DEVNULL)


def end(service):
    """Stops a service, which may be suspended."""
    service.process.send_signal(signal.SIGCONT)
    service.stop()


def run(*arguments, **environment):
    """Runs a command of the program. Returns its exit status, its output, and its processor time in seconds."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [USHER, *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            env={**os.environ, **environment})
        timer = threading.Timer(60, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return process.returncode, output.read(), usage.ru_utime + usage.ru_stime


class Health(unittest.TestCase):
    """`usher health`."""

    def service(self, *options):
        service = start_service(*options)
        self.addCleanup(end, service)
        return service

    def test_a_ready_service_is_healthy(self):
        service = self.service()
        # The command ignores proxies of the environment.
        for environment in ({}, {"http_proxy": "http://127.0.0.1:1", "all_proxy": "http://127.0.0.1:1"}):
            code, output, _ = run("health", "--port", str(service.port), **environment)
            self.assertEqual((code, output), (0, '{"status":"ready"}\n'))

    def test_a_ready_service_on_ipv6_is_healthy(self):
        service = self.service("--bind", "::1")
        code, output, _ = run("health", "--bind", "::1", "--port", str(service.port))
        self.assertEqual((code, output), (0, '{"status":"ready"}\n'))

    def test_no_service_is_unhealthy(self):
        code, output, _ = run("health", "--port", "1")
        self.assertEqual(code, 1)
        self.assertIn("usher: http://127.0.0.1:1 cannot be reached: ", output)

    def test_a_suspended_service_is_unhealthy(self):
        service = self.service()
        baseline = run("health", "--port", str(service.port))[2]
        service.process.send_signal(signal.SIGSTOP)
        code, output, seconds = run("health", "--port", str(service.port))
        self.assertEqual(code, 1)
        self.assertIn(f"usher: http://127.0.0.1:{service.port} did not complete its response within 3 seconds.", output)
        self.assertLess(seconds - baseline, 0.1)

    def test_another_server_is_unhealthy(self):
        redirect = f"HTTP/1.1 302 Elsewhere\r\nLocation: {self.service().address}/readyz\r\nContent-Length: 0\r\n\r\n"
        endless = "HTTP/1.1 200 OK\r\n\r\n" + "x" * 10_000_000
        for response in (redirect, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "SSH-2.0\r\n", "", endless):
            server = Server(response.encode())
            self.addCleanup(server.close)
            code, output, _ = run("health", "--port", str(server.port))
            self.assertEqual((code, len(server.requests)), (1, 1), output[:200])


class Libraries(unittest.TestCase):
    """libcurl and libpq, which the process loads at their first use."""

    def test_a_service_without_a_database_loads_neither(self):
        service = start_service()
        self.addCleanup(end, service)
        service.address  # Waits until the service is ready.
        with open(f"/proc/{service.process.pid}/maps") as file:
            self.assertNotRegex(file.read(), "libcurl|libpq")

    def test_a_missing_library_is_reported(self):
        commands = {
            "libcurl.so.4": ("libcurl4", "health"),
            "libpq.so.5": ("libpq5", "serve", "--store", "postgres://127.0.0.1/usher", "--port", "0")}
        for library, (package, *command) in commands.items():
            with tempfile.TemporaryDirectory() as folder:
                # The loader refuses an empty file.
                open(f"{folder}/{library}", "w").close()
                code, output, _ = run(*command, LD_LIBRARY_PATH=folder)
            self.assertEqual(code, 1)
            self.assertRegex(output, f"cannot be loaded: .*{library}.*: .*\\. Install the package {package}\\.")


class Connections(unittest.TestCase):
    """The connections of `usher play`."""

    def server(self, response="", context=None):
        server = Server(response.encode(), context)
        self.addCleanup(server.close)
        return server

    def test_the_executable_does_not_contain_foundation_networking(self):
        with open(USHER, "rb") as file:
            self.assertNotIn(b"FoundationNetworking", file.read())

    def test_a_redirect_is_not_followed(self):
        other = self.server("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"apps\":[]}")
        location = f"http://localhost:{other.port}/v1/apps"
        server = self.server(f"HTTP/1.1 307 Elsewhere\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n")
        code, output, _ = run("play", f"http://127.0.0.1:{server.port}", USHER_TOKEN="secret")
        self.assertEqual(code, 1)
        self.assertIn(f"redirects to {location}, and the client follows no redirects", output)
        self.assertIn("Authorization: Bearer secret", server.requests[0])
        self.assertEqual(other.requests, [])

    def test_the_client_connects_over_ipv6(self):
        service = start_service("--bind", "::1")
        self.addCleanup(end, service)
        code, output, _ = run("play", service.address, "--app", "shop")
        self.assertEqual(code, 0)
        self.assertIn(f"  usher play {service.address}/v1/sessions/", output)

    def test_waiting_takes_no_processor_time(self):
        service = start_service()
        service.address  # Waits until the service is ready.
        self.addCleanup(end, service)
        service.process.send_signal(signal.SIGSTOP)
        process = subprocess.Popen(
            [USHER, "play", service.address], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        time.sleep(3)
        with open(f"/proc/{process.pid}/stat") as file:
            ticks = sum(map(int, file.read().rsplit(")")[1].split()[11:13]))
        self.assertIsNone(process.poll())
        self.assertLess(ticks / os.sysconf("SC_CLK_TCK"), 1)

    def test_the_client_uses_the_proxy_of_the_environment(self):
        proxy = self.server("HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n")
        code, output, _ = run("play", "http://usher.invalid", http_proxy=f"http://127.0.0.1:{proxy.port}", no_proxy="")
        self.assertEqual(code, 1)
        self.assertTrue(proxy.requests[0].startswith("GET http://usher.invalid/v1/apps HTTP/1.1\r\n"), proxy.requests)

    def test_an_untrusted_certificate_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = (os.path.join(folder, name) for name in ("key.pem", "certificate.pem"))
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate,
                 "-days", "1", "-subj", "/CN=localhost"], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
        server = self.server("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"apps\":[]}", context)
        code, output, _ = run("play", f"https://localhost:{server.port}", USHER_TOKEN="secret")
        self.assertEqual(code, 1)
        self.assertIn(f"https://localhost:{server.port} is not trusted: ", output)
        self.assertEqual(server.requests, [])


if __name__ == "__main__":
    unittest.main()
