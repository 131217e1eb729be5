"""Parts of a check that run at the same time, because each of them mostly waits."""
import os, sys
from processes import Server, temporary_folder


def run_parts(*parts):
    """Runs this program once for each list of arguments, and prints the outputs in that order. Returns whether all
    parts have passed."""
    folder = temporary_folder("parts")
    servers = [
        Server([sys.executable, *sys.argv, *part], os.path.join(folder, str(number)))
        for number, part in enumerate(parts)]
    statuses = []
    for server in servers:
        statuses.append(server.process.wait())
        with open(server.log, errors="replace") as output:
            sys.stdout.write(output.read())
        sys.stdout.flush()
    return not any(statuses)
