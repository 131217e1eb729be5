// The interface of SQLite, and its marker for values that it copies, a cast that Swift cannot import.

#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

// Without an address, SQLite would bind null.

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *utf8, int size) {
  return sqlite3_bind_text(statement, index, utf8 ? (const char *)utf8 : "", size, SQLITE_TRANSIENT);
}

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int size) {
  return sqlite3_bind_blob(statement, index, bytes ? bytes : "", size, SQLITE_TRANSIENT);
}

#endif
