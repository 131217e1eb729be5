"""The backend of the clinic: today's appointments by their codes.

    python3 backend.py [--port PORT]

    GET /appointments/CODE         the appointment; 404 if there is none today
    GET /appointments/CODE/visits  the later appointments of the same patient

It needs nothing but Python, and prints its address.
"""
import argparse, json, sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

APPOINTMENTS = {
    "K7Q2": {"patient": "Ada Meier", "birthDate": "1980-12-31", "doctor": "Dr. Okafor", "time": "09:30"},
    "M3X9": {"patient": "Tom Berg", "birthDate": "1975-02-14", "doctor": "Dr. Lindt", "time": "10:15"},
}
VISITS = {"K7Q2": [{"date": "2027-01-14", "time": "14:00", "doctor": "Dr. Lindt"}]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        match self.path.strip("/").split("/"):
            case ["appointments", code] if code in APPOINTMENTS:
                self.answer(200, {"code": code} | APPOINTMENTS[code])
            case ["appointments", code, "visits"] if code in APPOINTMENTS:
                self.answer(200, VISITS.get(code, []))
            case _:
                self.answer(404, {"error": "There is no such appointment today."})

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main():
    parser = argparse.ArgumentParser(description="The backend of the clinic: today's appointments by their codes.")
    parser.add_argument("--port", type=int, default=8091, help="0 lets the system choose (default: %(default)s)")
    port = parser.parse_args().port
    try:
        backend = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    except OSError as error:
        sys.exit(f"The backend cannot listen on port {port}: {error.strerror}.")
    print(f"http://127.0.0.1:{backend.server_address[1]}", flush=True)
    try:
        backend.serve_forever()
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
