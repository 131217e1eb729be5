#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>

// The functions of libpq that the service and its tests call: result, name, parameters, arguments.
#define FUNCTIONS(F) \
  F(int, PQcancel, (PGcancel *a, char *b, int c), (a, b, c)) \
  F(void, PQclear, (PGresult *a), (a)) \
  F(char *, PQcmdTuples, (PGresult *a), (a)) \
  F(PostgresPollingStatusType, PQconnectPoll, (PGconn *a), (a)) \
  F(PGconn *, PQconnectStart, (const char *a), (a)) \
  F(PGconn *, PQconnectdb, (const char *a), (a)) \
  F(void, PQconninfoFree, (PQconninfoOption *a), (a)) \
  F(PQconninfoOption *, PQconninfoParse, (const char *a, char **b), (a, b)) \
  F(int, PQconsumeInput, (PGconn *a), (a)) \
  F(int, PQenterPipelineMode, (PGconn *a), (a)) \
  F(char *, PQerrorMessage, (const PGconn *a), (a)) \
  F(PGresult *, PQexec, (PGconn *a, const char *b), (a, b)) \
  F(void, PQfinish, (PGconn *a), (a)) \
  F(int, PQflush, (PGconn *a), (a)) \
  F(void, PQfreeCancel, (PGcancel *a), (a)) \
  F(void, PQfreemem, (void *a), (a)) \
  F(PGcancel *, PQgetCancel, (PGconn *a), (a)) \
  F(int, PQgetCopyData, (PGconn *a, char **b, int c), (a, b, c)) \
  F(PGresult *, PQgetResult, (PGconn *a), (a)) \
  F(int, PQgetisnull, (const PGresult *a, int b, int c), (a, b, c)) \
  F(int, PQgetlength, (const PGresult *a, int b, int c), (a, b, c)) \
  F(char *, PQgetvalue, (const PGresult *a, int b, int c), (a, b, c)) \
  F(int, PQisBusy, (PGconn *a), (a)) \
  F(PGnotify *, PQnotifies, (PGconn *a), (a)) \
  F(int, PQntuples, (const PGresult *a), (a)) \
  F(int, PQpipelineSync, (PGconn *a), (a)) \
  F(char *, PQresultErrorField, (const PGresult *a, int b), (a, b)) \
  F(char *, PQresultErrorMessage, (const PGresult *a), (a)) \
  F(ExecStatusType, PQresultStatus, (const PGresult *a), (a)) \
  F(int, PQsendPrepare, (PGconn *a, const char *b, const char *c, int d, const Oid *e), (a, b, c, d, e)) \
  F(int, PQsendQueryPrepared, \
    (PGconn *a, const char *b, int c, const char *const *d, const int *e, const int *f, int g), \
    (a, b, c, d, e, f, g)) \
  F(PQnoticeProcessor, PQsetNoticeProcessor, (PGconn *a, PQnoticeProcessor b, void *c), (a, b, c)) \
  F(int, PQsetnonblocking, (PGconn *a, int b), (a, b)) \
  F(int, PQsocket, (const PGconn *a), (a)) \
  F(ConnStatusType, PQstatus, (const PGconn *a), (a))

#define POINTER(result, name, parameters, arguments) result(*name) parameters;
static struct { FUNCTIONS(POINTER) } libpq;

// Hidden, because libpq would otherwise call these functions in the place of its own.
#define FORWARD(result, name, parameters, arguments) \
  __attribute__((visibility("hidden"))) result name parameters { return libpq.name arguments; }
FUNCTIONS(FORWARD)

static const char *fault;

static void load(void) {
  void *library = dlopen("libpq.so.5", RTLD_NOW);
#define FIND(result, name, parameters, arguments) && (libpq.name = dlsym(library, #name))
  bool isLoaded = library FUNCTIONS(FIND);
  if (!isLoaded) fault = strdup(dlerror());
}

const char *cpostgresql_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return fault;
}
