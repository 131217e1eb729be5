"""nginx in front of the replicas, with the configuration that docs/operations.md gives to operators."""
import os, re
from processes import Server, free_port, tail, temporary_folder, wait_until

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "operations.md")

NGINX = """
daemon off;
worker_processes 1;
pid {folder}/pid;
events {{ worker_connections 1024; }}
http {{
  log_format upstreams '$upstream_addr $upstream_status $request_method $status';
  access_log {folder}/access.log upstreams;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
{site}
}}
"""


def site(port, replicas):
    """Returns the snippet of the document with these ports in place of its addresses."""
    with open(DOCUMENT) as file:
        snippet = re.search(r"## Replicas\n.*?```nginx\n(.*?)```", file.read(), re.S)[1]
    servers = [line for line in snippet.splitlines(keepends=True) if re.match(r"\s*server \S+:\d+", line)]
    addresses = "".join(re.sub(r"\S+:\d+", f"127.0.0.1:{replica}", servers[0], count=1) for replica in replicas)
    snippet = snippet.replace("".join(servers), addresses)
    configuration, count = re.subn(r"listen [^;]+;", f"listen 127.0.0.1:{port};", snippet)
    if not servers or count != 1 or addresses not in snippet:
        raise SystemExit(f"The nginx snippet of {DOCUMENT} has a new form. Adapt this function.")
    return configuration


# Options of the replicas: a history that keeps every action, and one app.
OPTIONS = ("--history", 10000, "--apps", "tabs")


class Proxy:
    """nginx as a load balancer in front of the replicas."""

    def __init__(self, replicas):
        self.folder = temporary_folder("nginx")
        self.log = os.path.join(self.folder, "error.log")
        self.port = free_port()
        configuration = os.path.join(self.folder, "nginx.conf")
        with open(configuration, "w") as file:
            file.write(NGINX.format(folder=self.folder, site=site(self.port, replicas)))
        self.server = Server(["/usr/sbin/nginx", "-p", self.folder, "-c", configuration, "-e", self.log], self.log)
        wait_until(self._is_up, 10, "nginx")

    def _is_up(self):
        if not self.server.is_running():
            raise SystemExit(f"nginx did not start:\n{tail(self.log)}")
        return os.path.exists(os.path.join(self.folder, "pid"))

    def retried(self):
        """Returns the number of requests that nginx sent to more than one replica, and how many of them succeeded."""
        count = succeeded = 0
        with open(os.path.join(self.folder, "access.log")) as file:
            for line in file:
                if ", " in line:
                    count += 1
                    succeeded += line.rstrip()[-3:] < "400"
        return count, succeeded

    def stop(self):
        self.server.stop()
