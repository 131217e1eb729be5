"""Fills a session file with copies of one session of the service under new ids."""
import base64, hashlib, json, os, random, sqlite3, urllib.request
from measure import ready_in

CHUNK = 1_000_000
# The number of ids for the load, which uses fewer.
IDS = 100_000


def fill(path, count, ids):
    """Creates the session file, and writes a random part of the ids to the file `ids`, one a line."""
    usher, port, _ = ready_in("--store", f"sqlite:{path}", "--apps", "pages")
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/sessions", json.dumps({"app": "pages", "ttl": 2_592_000}).encode(),
        {"Content-Type": "application/json"})
    with urllib.request.urlopen(request):
        pass
    usher.stop()
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    [template] = connection.execute("SELECT app, created_at, expires_at, version, content FROM session")
    chosen = random.Random(1)
    with open(ids, "w") as file:
        for done in range(0, count, CHUNK):
            size = min(CHUNK, count - done)
            share = max(1, round(IDS * size / count))
            names = [base64.urlsafe_b64encode(os.urandom(16)).rstrip(b"=") for _ in range(size)]
            file.writelines(f"{name.decode()}\n" for name in chosen.sample(names, min(share, size)))
            keys = sorted(hashlib.sha256(name).digest() for name in names)
            keys.sort(key=lambda key: int.from_bytes(key[:8], "big", signed=True))
            with connection:
                connection.executemany(
                    "INSERT INTO session (number, key, app, created_at, expires_at, version, content) "
                    "VALUES (?, ?, ?, ?, ?, ?, ?)",
                    ((int.from_bytes(key[:8], "big", signed=True), key, *template) for key in keys))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    # Flushes the file. Otherwise, the start time of the service would include the writes of this function.
    with open(path) as file:
        os.fsync(file.fileno())
