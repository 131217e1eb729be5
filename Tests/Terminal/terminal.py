"""Drives `usher play` in a real terminal, tmux, through the example apps, and `usher health`. Called by script/terminal."""
import os, signal, socket, ssl, subprocess, sys, tempfile, threading, time, unittest, uuid

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
            ("1", "0 is Monthly, 1 is Yearly, 2 is Lifetime.", "Product:"), ("7", "* Product must be at most 2."),
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
            ("2", "Sign in"), ("1", "PIN:"), ("12", "* PIN must be 4 digits."), ("1", "PIN:"),
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


class Server:
    """A server on loopback that sends the same bytes to each client."""

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


class Service:
    """A service without sessions."""

    def __init__(self, *options):
        command = [USHER, "serve", "--port", "0", "--store", "memory", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().split()[-1]
        self.port = self.address.split(":")[-1]

    def close(self):
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        self.process.wait(20)
        self.process.stdout.close()


def run(*arguments, **environment):
    """Runs a command of the program; its exit code, what it printed, and the seconds of processor time that it took."""
    with tempfile.TemporaryFile("w+") as output:
        process = subprocess.Popen(
            [USHER, *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=output, env={**os.environ, **environment})
        timer = threading.Timer(60, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return process.returncode, output.read(), usage.ru_utime + usage.ru_stime


class Health(unittest.TestCase):
    def service(self, *options):
        service = Service(*options)
        self.addCleanup(service.close)
        return service

    def test_a_service_that_is_ready(self):
        service = self.service()
        # A proxy for what is outside is not asked for what is inside.
        for environment in ({}, {"http_proxy": "http://127.0.0.1:1", "all_proxy": "http://127.0.0.1:1"}):
            code, output, _ = run("health", "--port", service.port, **environment)
            self.assertEqual((code, output), (0, '{"status":"ready"}\n'))

    def test_a_service_on_ipv6(self):
        service = self.service("--bind", "::1")
        code, output, _ = run("health", "--bind", "::1", "--port", service.port)
        self.assertEqual((code, output), (0, '{"status":"ready"}\n'))

    def test_no_service(self):
        code, output, _ = run("health", "--port", "1")
        self.assertEqual(code, 1)
        self.assertIn("usher: http://127.0.0.1:1 cannot be reached: ", output)

    def test_a_service_that_is_stopped(self):
        service = self.service()
        least = run("health", "--port", service.port)[2]
        service.process.send_signal(signal.SIGSTOP)
        code, output, seconds = run("health", "--port", service.port)
        self.assertEqual(code, 1)
        self.assertIn(f"usher: http://127.0.0.1:{service.port} has not answered completely within 3 seconds.", output)
        self.assertLess(seconds - least, 0.1)

    def test_another_server(self):
        redirect = f"HTTP/1.1 302 Elsewhere\r\nLocation: {self.service().address}/readyz\r\nContent-Length: 0\r\n\r\n"
        endless = "HTTP/1.1 200 OK\r\n\r\n" + "x" * 10_000_000
        for response in (redirect, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "SSH-2.0\r\n", "", endless):
            server = Server(response.encode())
            self.addCleanup(server.close)
            code, output, _ = run("health", "--port", str(server.port))
            self.assertEqual((code, len(server.requests)), (1, 1), output[:200])


class Client(unittest.TestCase):
    def server(self, response="", context=None):
        server = Server(response.encode(), context)
        self.addCleanup(server.close)
        return server

    def test_the_executable_is_without_foundation_networking(self):
        with open(USHER, "rb") as file:
            self.assertNotIn(b"FoundationNetworking", file.read())

    def test_a_redirect_is_not_followed(self):
        other = self.server("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"apps\":[]}")
        location = f"http://localhost:{other.port}/v1/apps"
        server = self.server(f"HTTP/1.1 307 Elsewhere\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n")
        code, output, _ = run("play", f"http://127.0.0.1:{server.port}", USHER_TOKEN="secret")
        self.assertEqual(code, 1)
        self.assertIn(f"redirects to {location}, which is not followed", output)
        self.assertIn("Authorization: Bearer secret", server.requests[0])
        self.assertEqual(other.requests, [])

    def test_a_service_on_ipv6(self):
        service = Service("--bind", "::1")
        self.addCleanup(service.close)
        code, output, _ = run("play", service.address, "--app", "shop")
        self.assertEqual(code, 0)
        self.assertIn(f"The session goes on at {service.address}/v1/sessions/", output)

    def test_a_wait_costs_nothing(self):
        service = Service()
        self.addCleanup(service.close)
        service.process.send_signal(signal.SIGSTOP)
        process = subprocess.Popen([USHER, "play", service.address], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        time.sleep(3)
        with open(f"/proc/{process.pid}/stat") as file:
            ticks = sum(map(int, file.read().rsplit(")")[1].split()[11:13]))
        self.assertIsNone(process.poll())
        self.assertLess(ticks / os.sysconf("SC_CLK_TCK"), 1)

    def test_a_proxy_of_the_environment(self):
        proxy = self.server("HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n")
        code, output, _ = run("play", "http://usher.invalid", http_proxy=f"http://127.0.0.1:{proxy.port}", no_proxy="")
        self.assertEqual(code, 1)
        self.assertTrue(proxy.requests[0].startswith("GET http://usher.invalid/v1/apps HTTP/1.1\r\n"), proxy.requests)

    def test_a_certificate_that_nobody_trusts(self):
        with tempfile.TemporaryDirectory() as folder:
            key, certificate = (os.path.join(folder, name) for name in ("key.pem", "certificate.pem"))
            subprocess.run(
                ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "1",
                 "-subj", "/CN=localhost"], check=True, capture_output=True)
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate, key)
        server = self.server("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"apps\":[]}", context)
        code, output, _ = run("play", f"https://localhost:{server.port}", USHER_TOKEN="secret")
        self.assertEqual(code, 1)
        self.assertIn(f"https://localhost:{server.port} is not trusted: ", output)
        self.assertEqual(server.requests, [])


if __name__ == "__main__":
    unittest.main()
