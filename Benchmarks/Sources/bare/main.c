// The reference server: a fixed body from libmicrohttpd, with as many headers as Usher sends.
//
//   bare PORT BODY_BYTES
//
// The number of threads and the memory for each connection are the defaults of Usher.
#include <microhttpd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *body;
static size_t body_size;
static int seen;

static enum MHD_Result answer(void *unused, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **context) {
  if (*context == NULL) {
    *context = &seen;
    return MHD_YES;
  }
  if (*upload_size > 0) {
    *upload_size = 0;
    return MHD_YES;
  }
  struct MHD_Response *response = MHD_create_response_from_buffer(body_size, body, MHD_RESPMEM_PERSISTENT);
  MHD_add_response_header(response, "Content-Type", "application/json");
  MHD_add_response_header(response, "ETag", "\"17\"");
  MHD_add_response_header(response, "X-Request-Id", "1ynuqrv-1");
  MHD_add_response_header(response, "Cache-Control", "no-store");
  enum MHD_Result result = MHD_queue_response(connection, 200, response);
  MHD_destroy_response(response);
  return result;
}

int main(int count, char **arguments) {
  if (count < 3) return 64;
  body_size = (size_t)atoi(arguments[2]);
  body = malloc(body_size);
  memset(body, 'x', body_size);
  signal(SIGPIPE, SIG_IGN);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  struct MHD_Daemon *daemon = MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, (uint16_t)atoi(arguments[1]), NULL,
      NULL, &answer, NULL, MHD_OPTION_THREAD_POOL_SIZE,
      (unsigned int)(2 * sysconf(_SC_NPROCESSORS_ONLN)), MHD_OPTION_CONNECTION_LIMIT, 4096,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)16384, MHD_OPTION_CONNECTION_TIMEOUT, 30,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
  if (daemon == NULL) return 1;
  int received;
  sigwait(&signals, &received);
  MHD_stop_daemon(daemon);
  return 0;
}
