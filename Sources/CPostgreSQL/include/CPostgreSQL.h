// libpq, the client library of PostgreSQL. The process loads it at its first use, for the reason that CCurl.h gives.

#ifndef CPOSTGRESQL_H
#define CPOSTGRESQL_H

#if __has_include(<postgresql/libpq-fe.h>)
#include <postgresql/libpq-fe.h>
#else
#include <libpq-fe.h>
#endif

// Loads libpq, which must precede every other call. Returns NULL, or the reason for a failure.
const char *cpostgresql_load(void);

#endif
