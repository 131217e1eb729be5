// Wrappers of the parts of libmicrohttpd and glibc that Swift cannot import: variadic functions, a logger that receives
// a va_list, and functions that glibc declares for GNU sources only.

#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

// The parameters of a daemon. The library passes `context` to every callback.
struct cmhd_settings {
  unsigned int flags;
  unsigned int threads;
  unsigned int connection_limit;
  size_t connection_memory;
  unsigned int idle_seconds;
  // Whether the library is release 1.0 or later, which has several levels of strictness.
  bool has_discipline_levels;

  void *context;
  MHD_AccessHandlerCallback handle;
  MHD_RequestCompletedCallback completed;
  MHD_NotifyConnectionCallback connection_changed;
  void *(*target_received)(void *context, const char *target, struct MHD_Connection *connection);
  void (*log)(void *context, const char *message);
};

static inline void cmhd_log(void *context, const char *format, va_list arguments) {
  const struct cmhd_settings *settings = context;
  char line[1024];
  int length = vsnprintf(line, sizeof line, format, arguments);
  if (length < 0) return;
  size_t end = strlen(line);
  while (end > 0 && (line[end - 1] == '\n' || line[end - 1] == '\r')) line[--end] = 0;
  settings->log(settings->context, line);
}

// The milliseconds since the newest bytes arrived, as the system reports them; 0 on failure.
static inline unsigned cmhd_milliseconds_since_data(int socket) {
  struct tcp_info info;
  socklen_t length = sizeof info;
  memset(&info, 0, sizeof info);
  return getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 ? info.tcpi_last_data_recv : 0;
}

// Keeps targets percent-encoded. Decoding before the path is split would turn %2F into a separator.
static inline size_t cmhd_keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

// MHD_OPTION_CLIENT_DISCIPLINE_LVL. Headers before release 1.0 lack the name, and those releases do not start with the
// option.
enum { CMHD_OPTION_CLIENT_DISCIPLINE_LEVEL = 38 };

// Starts a daemon, or returns NULL. `settings` must outlive the daemon, because the logger reads it.
static inline struct MHD_Daemon *cmhd_start(const struct cmhd_settings *settings) {
  struct MHD_OptionItem strictness = {MHD_OPTION_STRICT_FOR_CLIENT, 1, NULL};
  if (settings->has_discipline_levels) {
    strictness.option = (enum MHD_OPTION)CMHD_OPTION_CLIENT_DISCIPLINE_LEVEL;
    // The strictest level without a bug of level 3, which accepts blanks after the size of a chunk.
    strictness.value = 2;
  }
  struct MHD_OptionItem options[] = {
    strictness,
    {MHD_OPTION_THREAD_POOL_SIZE, (intptr_t)settings->threads, NULL},
    {MHD_OPTION_END, 0, NULL},
  };
  // The library warns about a pool of one thread. Without the option it starts one thread.
  if (settings->threads < 2) options[1].option = MHD_OPTION_END;

  return MHD_start_daemon(
    settings->flags, 0, NULL, NULL, settings->handle, settings->context,
    MHD_OPTION_EXTERNAL_LOGGER, cmhd_log, (void *)settings,
    MHD_OPTION_CONNECTION_LIMIT, settings->connection_limit,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->connection_memory,
    MHD_OPTION_CONNECTION_TIMEOUT, settings->idle_seconds,
    MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,
    MHD_OPTION_UNESCAPE_CALLBACK, cmhd_keep_escapes, NULL,
    MHD_OPTION_URI_LOG_CALLBACK, settings->target_received, settings->context,
    MHD_OPTION_NOTIFY_COMPLETED, settings->completed, settings->context,
    MHD_OPTION_NOTIFY_CONNECTION, settings->connection_changed, settings->context,
    MHD_OPTION_ARRAY, options,
    MHD_OPTION_END);
}

static inline ssize_t cmhd_end_of_stream(void *context, uint64_t position, char *buffer, size_t size) {
  (void)context;
  (void)position;
  (void)buffer;
  (void)size;
  return MHD_CONTENT_READER_END_OF_STREAM;
}

// Creates the response to HEAD for a streamed GET, or returns NULL. It closes the connection, because release 0.9.75
// sends the last chunk of a chunked body even to HEAD.
static inline struct MHD_Response *cmhd_head_of_stream(void) {
  struct MHD_Response *response =
    MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, cmhd_end_of_stream, NULL, NULL);
  if (response) MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
  return response;
}

// Returns the connection's socket, or -1.
static inline int cmhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

// Writes the 16 bytes of the client's address, for IPv4 in its IPv4-mapped form (RFC 4291, section 2.5.5.2). Returns
// false if there is none.
static inline bool cmhd_peer_address(struct MHD_Connection *connection, uint8_t *bytes) {
  static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (!info || !info->client_addr) return false;
  if (info->client_addr->sa_family == AF_INET) {
    memcpy(bytes, mapped, sizeof mapped);
    memcpy(bytes + sizeof mapped, &((const struct sockaddr_in *)info->client_addr)->sin_addr, 4);
    return true;
  }
  if (info->client_addr->sa_family != AF_INET6) return false;
  memcpy(bytes, &((const struct sockaddr_in6 *)info->client_addr)->sin6_addr, 16);
  return true;
}

// Returns the value that the connection callback stored for this socket, or NULL.
static inline void *cmhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}

// Returns the bytes of the request's head, from the method to the empty line; 0 if unknown.
static inline size_t cmhd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

// Returns the bytes of the connection's memory that the head of the request takes: its text, an aligned record for each
// header, cookie and query parameter, and the copy of the first Cookie that the library parses.
static inline size_t cmhd_head_memory(struct MHD_Connection *connection) {
  enum { RECORD = 64 };
  int records = MHD_get_connection_values(
    connection, (enum MHD_ValueKind)(MHD_HEADER_KIND | MHD_COOKIE_KIND | MHD_GET_ARGUMENT_KIND), NULL, NULL);
  const char *cookies = NULL;
  size_t cookies_size = 0;
  MHD_lookup_connection_value_n(connection, MHD_HEADER_KIND, "Cookie", 6, &cookies, &cookies_size);
  return cmhd_head_size(connection) + (size_t)records * RECORD + cookies_size;
}

#endif
