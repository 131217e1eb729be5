"""The backend of the example app `checkout`: a ticket office and a payment provider in one.

    python3 Examples/Backend/backend.py [--port PORT] [--ledger FILE] [--quote-seconds N] [--tickets N]

    GET  /tickets              the tickets on sale
    POST /quotes               {"kind": "day"}                            the price, which is valid for a time
    POST /payments             {"quote": …, "cents": …, "callback": …}    a payment, and the page for the user
    GET  /payments/ID          the page, on which the user pays or declines
    POST /payments/ID/pay      settles the payment, and sends the signal to the callback
    POST /payments/ID/decline  the same
    POST /withdrawals          {"quote": …}: the user has left; an open payment for the quote ends, and none can be opened
    GET  /ledger               all payments, for a test
    POST /faults               {"count": 2, "status": 503}: fails the next requests to /quotes and /payments;
                               {"count": 1, "delay": 30}: answers late;
                               {"count": 1, "path": "/tickets"}: fails the requests to this path instead;
                               {"count": 0, "seconds": 1}: prices expire after a second from now on;
                               {"quote": …}: all payments for this quote fail
    GET  /faults               the times of the failed requests for such quotes
    GET  /requests             the number of requests to each path

It needs nothing but Python, and prints its address. It remembers payments by `Idempotency-Key` in the ledger, a file of
JSON lines: a repeated request gets the same payment, also after a restart, and signals that nobody has taken yet are
sent again. Without `--ledger` it forgets all at its end.
"""
import argparse, html, http.client, json, os, secrets, sys, threading, time, urllib.error, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import listening

TICKETS = {"day": ("Day ticket", 450), "week": ("Week ticket", 1800), "month": ("Month ticket", 5400)}
# The seconds between the attempts to send a signal.
PAUSES = (0.2, 1, 2, 5, *[10] * 60)


class Ledger:
    """The payments, by id and by idempotency key, and the withdrawn quotes. A change is on disk before anybody learns of
    it."""

    def __init__(self, path):
        self.lock, self.payments, self.keys = threading.Lock(), {}, {}
        # The last payment for each quote.
        self.last, self.withdrawn = {}, set()
        self.file = None
        if path:
            self.file = open(path, "a+b")
            self.file.seek(0)
            end = 0
            for line in self.file:
                # The last line is incomplete if the process ended while it wrote it.
                if not line.endswith(b"\n"):
                    break
                self._take(json.loads(line))
                end += len(line)
            self.file.truncate(end)

    def _take(self, change):
        if "withdrawn" in change:
            self.withdrawn.add(change["withdrawn"])
        else:
            self.payments[change["id"]] = change
            self.keys[change["key"]] = self.last[change["order"]["quote"]] = change["id"]

    def _write(self, change):
        if self.file:
            self.file.write(json.dumps(change).encode() + b"\n")
            self.file.flush()
            os.fsync(self.file.fileno())
        self._take(change)

    def open(self, key, order, callback):
        """Returns the payment of a key, and creates it if there is none. None if the key had another order, or the quote
        was withdrawn.

        A repetition may name another callback: the service may have moved.
        """
        with self.lock:
            if key not in self.keys:
                if order["quote"] in self.withdrawn:
                    return None
                payment = {
                    "id": secrets.token_hex(8), "key": key, "order": order, "callback": callback, "status": "open",
                    "delivered": False}
                self._write(payment)
                return payment
            payment = self.payments[self.keys[key]]
            if payment["order"] != order:
                return None
            if payment["callback"] != callback:
                payment = payment | {"callback": callback}
                self._write(payment)
            return payment

    def settle(self, number, status):
        """Settles an open payment. Returns it, and whether it was open."""
        with self.lock:
            payment = self.payments.get(number)
            if payment is None or payment["status"] != "open":
                return payment, False
            payment = payment | {"status": status}
            self._write(payment)
            return payment, True

    def withdraw(self, quote):
        """Ends the open payment for a quote, and lets none be opened. Returns false if the last one was settled."""
        with self.lock:
            payment = self.payments.get(self.last.get(quote))
            if payment and payment["status"] == "paid":
                return False
            if quote not in self.withdrawn:
                self._write({"withdrawn": quote})
            # Also if the process has ended between the two lines.
            if payment and payment["status"] == "open":
                self._write(payment | {"status": "withdrawn"})
            return True

    def note_delivery(self, number):
        with self.lock:
            self._write(self.payments[number] | {"delivered": True})

    def undelivered(self):
        """Returns the settled payments whose signals nobody has taken yet."""
        with self.lock:
            return [
                payment for payment in self.payments.values()
                if payment["status"] in ("paid", "declined") and not payment["delivered"]]


class Faults:
    """The failures that somebody has asked for."""

    def __init__(self):
        self.lock, self.count, self.status, self.delay, self.path = threading.Lock(), 0, 503, 0, None
        # The times of the failed requests, by quote.
        self.quotes = {}

    def set(self, count, status, delay, path):
        with self.lock:
            self.count, self.status, self.delay, self.path = count, status, delay, path

    def refuse(self, quote):
        with self.lock:
            self.quotes.setdefault(quote, [])

    def refuses(self, quote):
        with self.lock:
            if quote in self.quotes:
                self.quotes[quote].append(time.time())
            return quote in self.quotes

    def take(self, path):
        """Returns the status and the delay of the next request to a path; None without a fault."""
        with self.lock:
            concerned = path == self.path if self.path else path != "/tickets"
            if self.count == 0 or not concerned:
                return None
            self.count -= 1
            return self.status, self.delay


def send_signal(ledger, payment):
    """Sends the signal of a settled payment, until the receiver has taken it or refuses it for good."""
    body = json.dumps({"payment": payment["id"], "status": payment["status"], "cents": payment["order"]["cents"]})
    headers = {"Content-Type": "application/json", "webhook-id": f"{payment['id']}-{payment['status']}"}
    for pause in (0, *PAUSES):
        time.sleep(pause)
        callback = ledger.payments[payment["id"]]["callback"]
        request = urllib.request.Request(callback, body.encode(), headers, method="POST")
        try:
            with urllib.request.urlopen(request, timeout=10):
                return ledger.note_delivery(payment["id"])
        except urllib.error.HTTPError as error:
            if error.code < 500 and error.code not in (408, 425, 429):
                return
        except (OSError, http.client.HTTPException):
            pass


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Answers are small, and nobody waits for a second packet.
    wbufsize = -1

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        parts = self.path.strip("/").split("/")
        self.server.count(self.path)
        if parts == ["tickets"]:
            if not self.fails():
                self.answer(200, self.server.on_sale)
        elif parts == ["requests"]:
            self.answer(200, self.server.requests)
        elif parts == ["ledger"]:
            ledger = self.server.ledger
            self.answer(200, {"payments": list(ledger.payments.values()), "withdrawn": sorted(ledger.withdrawn)})
        elif parts == ["faults"]:
            self.answer(200, self.server.faults.quotes)
        elif len(parts) == 2 and parts[0] == "payments":
            self.show(self.server.ledger.payments.get(parts[1]))
        else:
            self.answer(404, {"error": "There is nothing here."})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        parts = self.path.strip("/").split("/")
        if len(parts) == 3 and parts[0] == "payments" and parts[2] in ("pay", "decline"):
            return self.settle(parts[1], "paid" if parts[2] == "pay" else "declined")
        try:
            request = json.loads(body or b"{}")
            if parts == ["faults"]:
                if "quote" in request:
                    self.server.faults.refuse(request["quote"])
                else:
                    self.server.faults.set(
                        int(request.get("count", 1)), int(request.get("status", 503)), float(request.get("delay", 0)),
                        request.get("path"))
                    self.server.quote_seconds = int(request.get("seconds", self.server.quote_seconds))
                return self.answer(204)
            if parts == ["payments"] and self.server.faults.refuses(str(request["quote"])):
                return self.answer(503, {"error": "As requested."})
            if self.fails():
                return
            if parts == ["quotes"]:
                return self.quote(request["kind"])
            if parts == ["payments"]:
                return self.open(request)
            if parts == ["withdrawals"]:
                return self.withdraw(str(request["quote"]))
        except (ValueError, KeyError, TypeError) as error:
            return self.answer(400, {"error": f"The request is not valid: {error!r}"})
        self.answer(404, {"error": "There is nothing here."})

    def fails(self):
        fault = self.server.faults.take(self.path)
        if fault is None:
            return False
        status, delay = fault
        time.sleep(delay)
        if delay and status == 503:
            return False
        self.answer(status, {"error": "As requested."})
        return True

    def quote(self, kind):
        ticket = next((ticket for ticket in self.server.on_sale if ticket["id"] == kind), None)
        if ticket is None:
            return self.answer(422, {"error": "There is no such ticket."})
        seconds = self.server.quote_seconds
        self.answer(200, ticket | {"id": secrets.token_hex(8), "kind": kind, "seconds": seconds})

    def open(self, request):
        order = {"quote": str(request["quote"]), "cents": int(request["cents"])}
        key = self.headers.get("Idempotency-Key")
        if not key:
            return self.answer(400, {"error": "The header Idempotency-Key is missing."})
        payment = self.server.ledger.open(key, order, str(request["callback"]))
        if payment is None:
            return self.answer(422, {"error": "The key was used for another order, or the quote was withdrawn."})
        url = f"{self.server.address}/payments/{payment['id']}"
        self.answer(201, {"id": payment["id"], "url": url, "status": payment["status"]})

    def withdraw(self, quote):
        if self.server.ledger.withdraw(quote):
            self.answer(200, {"quote": quote})
        else:
            self.answer(409, {"error": "The user has paid."})

    def settle(self, number, status):
        payment, was_open = self.server.ledger.settle(number, status)
        if was_open:
            self.server.send_later(payment)
        self.show(payment)

    def show(self, payment):
        if payment is None:
            return self.answer(404, {"error": "There is no such payment."})
        amount = f"{payment['order']['cents'] / 100:.2f}"
        if payment["status"] == "open":
            path = html.escape(f"/payments/{payment['id']}")
            content = (
                f"<p>Please pay {amount}.</p>"
                f'<form method="post" action="{path}/pay"><button>Pay</button></form>'
                f'<form method="post" action="{path}/decline"><button>Decline</button></form>')
        else:
            content = f"<p>{amount}: {payment['status']}. You can close this page.</p>"
        self.send(
            200, "text/html; charset=utf-8",
            '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">'
            "<title>Payment</title><style>body { font: 1.1rem system-ui; max-width: 24rem; margin: 3rem auto; "
            "padding: 0 1rem } button { font: inherit; padding: .6rem 1.2rem; margin: .3rem 0; width: 100% }</style>"
            f"<h1>Payment</h1>{content}</html>")

    def answer(self, status, value=None):
        self.send(status, "application/json", "" if value is None else json.dumps(value))

    def send(self, status, content_type, text):
        body = text.encode()
        self.send_response(status)
        if body:
            self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


class Backend(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024

    def __init__(self, port, options):
        super().__init__(("127.0.0.1", port), Handler)
        self.ledger, self.faults, self.quote_seconds = Ledger(options.ledger), Faults(), options.quote_seconds
        self.requests, self.lock = {}, threading.Lock()
        tickets = [(name, *ticket) for name, ticket in TICKETS.items()]
        tickets += [(f"seat-{n}", f"Season ticket, seat {n}", 30_000 + n) for n in range(len(tickets) + 1, options.tickets + 1)]
        self.on_sale = [{"id": name, "title": title, "cents": cents} for name, title, cents in tickets]
        self.address = f"http://127.0.0.1:{self.server_address[1]}"

        for payment in self.ledger.undelivered():
            self.send_later(payment)

    def count(self, path):
        with self.lock:
            self.requests[path] = self.requests.get(path, 0) + 1

    def send_later(self, payment):
        threading.Thread(target=send_signal, args=(self.ledger, payment), daemon=True).start()

    def handle_error(self, request, client_address):
        # A client that disconnects is not an error of the backend.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def main():
    parser = argparse.ArgumentParser(description="The backend of the example app checkout.")
    listening.add_options(parser, 8090)
    parser.add_argument("--ledger", help="the file that keeps the payments")
    parser.add_argument("--quote-seconds", type=int, default=120, help="how long a price is valid (default: %(default)s)")
    parser.add_argument("--tickets", type=int, default=3, help="the number of tickets on sale (default: %(default)s)")
    options = parser.parse_args()
    listening.listen(options, lambda port: Backend(port, options))


if __name__ == "__main__":
    main()
