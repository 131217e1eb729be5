// Sends requests at a constant rate, without waiting for responses, and prints the latency of each status. A latency
// includes the delay between the due time of a request and its transmission.
//
//   openload PORT CONNECTIONS REQUESTS_A_SECOND SECONDS TARGET…
//
// Sends a POST to one target after another. With a rate of 0, each connection sends its next request after the response
// to the last one.

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct connection {
  int socket, is_busy, length, status;
  long expected;
  double due;
  char head[65536];
};

static struct connection *connections;
static int *idle, idle_count, poller, port;
static double *latencies[600];
static int counts[600];
static long lost;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *function) {
  perror(function);
  exit(1);
}

static void connect_to(int index) {
  struct connection *c = &connections[index];
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  int on = 1;
  c->socket = socket(AF_INET, SOCK_STREAM, 0);
  if (c->socket < 0 || connect(c->socket, (struct sockaddr *)&address, sizeof address) < 0) fail("connect");
  setsockopt(c->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  fcntl(c->socket, F_SETFL, O_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
  epoll_ctl(poller, EPOLL_CTL_ADD, c->socket, &event);
  c->is_busy = c->length = 0;
}

static void send_request(int index, const char *target, double due) {
  struct connection *c = &connections[index];
  char text[1024];
  int length = snprintf(text, sizeof text, "POST %s HTTP/1.1\r\nHost: usher\r\nContent-Length: 0\r\n\r\n", target);
  c->is_busy = 1;
  c->due = due;
  c->length = 0;
  c->expected = -1;
  // The receiving side detects closed connections.
  if (send(c->socket, text, length, MSG_NOSIGNAL) < 0 && errno != EPIPE && errno != ECONNRESET) fail("send");
}

static void record(struct connection *c) {
  int n = counts[c->status]++;
  if ((n & (n - 1)) == 0) latencies[c->status] = realloc(latencies[c->status], (n ? 2 * n : 1) * sizeof(double));
  latencies[c->status][n] = now() - c->due;
}

// Returns whether the connection is idle again.
static int receive(int index) {
  struct connection *c = &connections[index];
  for (;;) {
    long count = recv(c->socket, c->head + c->length, sizeof c->head - 1 - c->length, 0);
    if (count < 0 && errno == EAGAIN) return 0;
    if (count <= 0) {
      if (c->is_busy) lost++;
      int was_busy = c->is_busy;
      close(c->socket);
      connect_to(index);
      return was_busy;
    }
    c->length += count;
    c->head[c->length] = 0;
    if (c->expected < 0) {
      char *end = strstr(c->head, "\r\n\r\n"), *size = strcasestr(c->head, "\r\nContent-Length: ");
      if (!end) continue;
      c->status = atoi(c->head + 9);
      c->expected = end + 4 - c->head + (size && size < end ? atol(size + 18) : 0);
    }
    if (c->length >= c->expected) {
      record(c);
      c->is_busy = c->length = 0;
      return 1;
    }
  }
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

int main(int argc, char **argv) {
  if (argc < 6) return 64;
  port = atoi(argv[1]);
  int count = atoi(argv[2]), targets = argc - 5, next_target = 0;
  double rate = atof(argv[3]), seconds = atof(argv[4]), waited = 0;
  poller = epoll_create1(0);
  connections = calloc(count, sizeof *connections);
  idle = calloc(count, sizeof *idle);
  for (int i = 0; i < count; i++) connect_to(i), idle[idle_count++] = i;
  double start = now(), end = start + seconds;
  long due = 0;
  struct epoll_event events[256];
  while (now() < end) {
    double time = now();
    while (idle_count > 0 && (rate == 0 || start + due / rate <= time)) {
      double when = rate == 0 ? time : start + due / rate;
      if (time - when > waited) waited = time - when;
      send_request(idle[--idle_count], argv[5 + next_target++ % targets], when);
      due++;
    }
    int ready = epoll_wait(poller, events, 256, rate == 0 ? 10 : 1);
    for (int i = 0; i < ready; i++)
      if (receive(events[i].data.u32)) idle[idle_count++] = events[i].data.u32;
  }
  printf(
    "{\"seconds\": %.3f, \"sent\": %ld, \"lost\": %ld, \"late\": %.4f, \"answers\": {", seconds, due, lost, waited);
  const char *separator = "";
  for (int status = 0; status < 600; status++) {
    int n = counts[status];
    if (!n) continue;
    qsort(latencies[status], n, sizeof(double), ascending);
    printf(
      "%s\"%d\": {\"count\": %d, \"p50\": %.4f, \"p99\": %.4f, \"max\": %.4f}", separator, status, n,
      latencies[status][n / 2], latencies[status][(long)(n * 0.99)], latencies[status][n - 1]);
    separator = ", ";
  }
  printf("}}\n");
}
