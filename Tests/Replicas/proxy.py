"""nginx in front of the replicas, with the configuration that docs/operations.md gives to operators."""
import os, re
from processes import Server, folder, free_ports, tail, wait_until

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "operations.md")

FRAME = """
daemon off;
worker_processes 1;
pid {folder}/pid;
events {{ worker_connections 1024; }}
http {{
  log_format told '$upstream_addr $upstream_status $request_method $status';
  access_log {folder}/access.log told;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
{site}
}}
"""


def site(port, replicas):
    """The page's snippet, with these ports in the place of its addresses."""
    with open(PAGE) as file:
        snippet = re.search(r"## Replicas\n.*?```nginx\n(.*?)```", file.read(), re.S)[1]
    servers = [line for line in snippet.splitlines(keepends=True) if re.match(r"\s*server \S+:\d+", line)]
    ours = "".join(re.sub(r"\S+:\d+", f"127.0.0.1:{replica}", servers[0], count=1) for replica in replicas)
    snippet = snippet.replace("".join(servers), ours)
    listening, count = re.subn(r"listen [^;]+;", f"listen 127.0.0.1:{port};", snippet)
    assert servers and count == 1 and ours in snippet, "The nginx snippet of the page has changed its form."
    return listening


class Proxy:
    def __init__(self, replicas):
        self.folder = folder("nginx")
        self.log = os.path.join(self.folder, "error.log")
        [self.port] = free_ports(1)
        configuration = os.path.join(self.folder, "nginx.conf")
        with open(configuration, "w") as file:
            file.write(FRAME.format(folder=self.folder, site=site(self.port, replicas)))
        self.server = Server(["/usr/sbin/nginx", "-p", self.folder, "-c", configuration, "-e", self.log], self.log)
        wait_until(self._is_up, 10, "nginx")

    def _is_up(self):
        if not self.server.is_running():
            raise SystemExit(f"nginx does not start:\n{tail(self.log)}")
        return os.path.exists(os.path.join(self.folder, "pid"))

    def passed_on(self):
        """Requests that went to more than one replica: how many, and how many of them were answered with a success."""
        count = answered = 0
        with open(os.path.join(self.folder, "access.log")) as file:
            for line in file:
                if ", " in line:
                    count += 1
                    answered += line.rstrip()[-3:] < "400"
        return count, answered

    def stop(self):
        self.server.stop()
