"""nginx and HAProxy in front of the service, each with one persistent connection to it that all clients share."""
import atexit, os, socket, subprocess, time
from processes import free_port, temporary_folder

# Both proxies deny this path, so a request for it that reaches the service has bypassed the proxy.
FORBIDDEN = "/tabs/learn"

NGINX = """
daemon off;
worker_processes 1;
pid {folder}/pid;
error_log {folder}/errors;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  upstream usher {{ server 127.0.0.1:{service}; keepalive 1; }}
  server {{
    listen 127.0.0.1:{port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_read_timeout 2s;
    client_header_timeout 1s;
    client_body_timeout 1s;
    client_max_body_size 1m;
    {lenient}
    location ~ {forbidden} {{ return 403; }}
    location / {{ proxy_pass http://usher; }}
  }}
}}
"""
# Settings with which nginx forwards most requests unchanged.
NGINX_LENIENT = """
    ignore_invalid_headers off;
    underscores_in_headers on;
    merge_slashes off;
    proxy_request_buffering off;
    proxy_pass_request_headers on;
"""

HAPROXY = """
global
  maxconn 256
defaults
  mode http
  timeout connect 2s
  timeout client 1s
  timeout server 2s
  timeout http-request 1s
  timeout queue 5s
  option http-keep-alive
  {lenient}
frontend front
  bind 127.0.0.1:{port}
  http-request deny deny_status 403 if {{ path_sub {forbidden} }}
  default_backend usher
backend usher
  http-reuse always
  server usher 127.0.0.1:{service} maxconn 1 pool-max-conn 1
"""
HAPROXY_LENIENT = "option accept-invalid-http-request"


class Proxy:
    """nginx or HAProxy on a free port, until the end of the tests."""

    def __init__(self, name, service, is_lenient=False):
        self.name = name + (", lenient" if is_lenient else "")
        self.folder = temporary_folder("hostility")
        # Workers of nginx drop root privileges, and write to the folder.
        os.chmod(self.folder, 0o777)
        self.port = free_port()
        text, lenient = (NGINX, NGINX_LENIENT) if name == "nginx" else (HAPROXY, HAPROXY_LENIENT)
        path = os.path.join(self.folder, "configuration")
        with open(path, "w") as file:
            file.write(text.format(
                folder=self.folder, service=service, port=self.port, forbidden=FORBIDDEN,
                lenient=lenient if is_lenient else ""))
        command = {
            "nginx": ["nginx", "-c", path, "-e", self.folder + "/errors"], "haproxy": ["haproxy", "-db", "-f", path]}
        self.log = open(os.path.join(self.folder, "log"), "w")
        self.process = subprocess.Popen(command[name], stdout=self.log, stderr=self.log)
        atexit.register(self.stop)
        self.wait_until_started()

    def wait_until_started(self):
        end = time.monotonic() + 10
        while True:
            try:
                return socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"{self.name} did not start:\n{open(self.log.name).read()}")
                time.sleep(0.05)

    def is_running(self):
        return self.process.poll() is None

    def stop(self):
        if self.is_running():
            self.process.terminate()
            self.process.wait(20)
        self.log.close()
