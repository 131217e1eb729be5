"""nginx and HAProxy in front of services, each with one persistent connection to each that all clients share."""
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
  upstream usher {{ {servers} keepalive 1; }}
  server {{
    listen 127.0.0.1:{port};
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_read_timeout 2s;
    client_header_timeout 1s;
    client_body_timeout 1s;
    client_max_body_size 1m;
    {strict}
    {lenient}
    location ~ {forbidden} {{ return 403; }}
    location / {{ proxy_pass http://usher; }}
  }}
}}
"""
NGINX_SERVER = "server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;"
# The service has no cookies, and those of other services on the host would count towards its limit for heads.
NGINX_STRICT = 'proxy_set_header Cookie "";'
# Settings with which nginx forwards most requests unchanged.
NGINX_LENIENT = """
    large_client_header_buffers 8 64k;
    ignore_invalid_headers off;
    underscores_in_headers on;
    merge_slashes off;
    proxy_request_buffering off;
    proxy_pass_request_headers on;
"""

HAPROXY = """
global
  # Another HAProxy on the same port would get half of the connections.
  noreuseport
  maxconn 256
  tune.bufsize 65536
  tune.http.maxhdr 4096
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
  {strict}
  {observation}
  {servers}
"""
HAPROXY_SERVER = "\n  server usher-{port} 127.0.0.1:{port} maxconn 1 pool-max-conn 1"
# One failed response takes a server away, as with nginx; a successful check brings it back.
HAPROXY_OBSERVATION = "default-server check inter 1s rise 1 observe layer7 error-limit 1 on-error mark-down"
HAPROXY_STRICT = "http-request del-header Cookie"
HAPROXY_LENIENT = "option accept-invalid-http-request"


class Proxy:
    """nginx or HAProxy on a free port, in front of the services on these ports, until the end of the tests."""

    def __init__(self, name, *services, is_lenient=False):
        self.name = name + (", lenient" if is_lenient else "")
        self.folder = temporary_folder("hostility")
        # Workers of nginx drop root privileges, and write to the folder.
        os.chmod(self.folder, 0o777)
        self.port = free_port()
        text, server, strict, lenient = {
            "nginx": (NGINX, NGINX_SERVER, NGINX_STRICT, NGINX_LENIENT),
            "haproxy": (HAPROXY, HAPROXY_SERVER, HAPROXY_STRICT, HAPROXY_LENIENT)}[name]
        path = os.path.join(self.folder, "configuration")
        with open(path, "w") as file:
            file.write(text.format(
                folder=self.folder, port=self.port, forbidden=FORBIDDEN,
                servers="".join(server.format(port=service) for service in services),
                observation=HAPROXY_OBSERVATION if len(services) > 1 else "",
                strict="" if is_lenient else strict, lenient=lenient if is_lenient else ""))
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
