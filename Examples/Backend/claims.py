"""The backend of the example flow `claim`: the parcels and the claims of a delivery service.

    python3 Examples/Backend/claims.py [--port PORT] [--decision-seconds N]

    GET  /parcels/VN1000000001    the recipient and the value of a parcel; 404 for an unknown number
    POST /ibans                   {"iban": …}                  the number without spaces; 422 for a typing error
    POST /codes                   {"email": …}                 writes a code to the output, in the place of a mail
    POST /codes/confirmed         {"email": …, "code": …}      422 for another code
    POST /offers                  {"parcel": …, "cents": …}    the sums by transfer and as a voucher
    POST /drafts                  the answers                  the code with which people find them again
    POST /claims                  the claim                    its reference; under one Idempotency-Key, it is one claim
    GET  /claims                  all claims

Some seconds after a claim, the backend sends its decision to the callback. It needs nothing but Python, and keeps all in
memory.
"""
import argparse, json, secrets, sys, threading, time, urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import listening

PARCELS = {
    "VN1000000001": {"name": "Mai Linh", "email": "mai@example.com", "phone": None, "cents": 4500},
    "VN1000000002": {"name": "Jo Weber", "email": "jo@example.com", "phone": "+49 40 123456", "cents": 12900},
}


def is_iban(iban):
    """Returns whether the check digits of a number are right (ISO 13616)."""
    moved = iban[4:] + iban[:4]
    return moved.isalnum() and 15 <= len(iban) <= 34 and int("".join(str(int(digit, 36)) for digit in moved)) % 97 == 1


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Answers are small, and nobody waits for a second packet.
    wbufsize = -1

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        if self.path == "/claims":
            return self.answer(200, list(self.server.claims.values()))
        kind, _, number = self.path.strip("/").partition("/")
        parcel = PARCELS.get(number) if kind == "parcels" else None
        self.answer(200 if parcel else 404, parcel or {"error": "There is nothing here."})

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        answers = {
            "/ibans": self.iban, "/codes": self.code, "/codes/confirmed": self.confirm, "/offers": self.offer,
            "/drafts": self.draft, "/claims": self.claim}
        if self.path not in answers:
            return self.answer(404, {"error": "There is nothing here."})
        try:
            self.answer(*answers[self.path](json.loads(body)))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            self.answer(400, {"error": f"The request is not valid: {error!r}"})

    def iban(self, request):
        iban = "".join(request["iban"].split()).upper()
        return (200, {"iban": iban}) if is_iban(iban) else (422, {"error": "The check digits are wrong."})

    def code(self, request):
        code = self.server.codes[request["email"]] = f"{secrets.randbelow(1_000_000):06}"
        print(f"The code for {request['email']} is {code}.", file=sys.stderr, flush=True)
        return 200, {}

    def confirm(self, request):
        is_right = self.server.codes.get(request["email"]) == request["code"]
        return (200, {}) if is_right else (422, {"error": "The code is another one."})

    def offer(self, request):
        cents = int(request["cents"])
        return 200, {"quote": secrets.token_hex(8), "transfer": cents, "voucher": cents * 11 // 10}

    def draft(self, request):
        code = secrets.token_hex(4).upper()
        self.server.drafts[code] = request
        return 200, {"code": code}

    def claim(self, request):
        key = self.headers.get("Idempotency-Key")
        if not key:
            return 400, {"error": "The header Idempotency-Key is missing."}
        if key not in self.server.claims:
            self.server.references[key] = secrets.token_hex(4).upper()
            self.server.claims[key] = request
            threading.Thread(target=self.server.decide, args=(key, request["callback"]), daemon=True).start()
        return 201, {"reference": self.server.references[key]}

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


class Backend(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port, decision_seconds):
        super().__init__(("127.0.0.1", port), Handler)
        self.codes, self.drafts, self.claims, self.references = {}, {}, {}, {}
        self.decision_seconds = decision_seconds

    def decide(self, key, callback):
        time.sleep(self.decision_seconds)
        headers = {"Content-Type": "application/json", "webhook-id": key}
        body = json.dumps({"decision": "accepted"}).encode()
        for _ in range(10):
            try:
                with urllib.request.urlopen(urllib.request.Request(callback, body, headers), timeout=10):
                    return
            except OSError:
                time.sleep(2)


def main():
    parser = argparse.ArgumentParser(description="The backend of the example flow claim.")
    listening.add_options(parser, 8091)
    parser.add_argument(
        "--decision-seconds", type=float, default=20, help="the time until a decision (default: %(default)s)")
    options = parser.parse_args()
    listening.listen(options, lambda port: Backend(port, options.decision_seconds))


if __name__ == "__main__":
    main()
