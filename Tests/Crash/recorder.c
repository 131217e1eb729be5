// Records all changes that a process makes to the files of one folder, so that the folder can be rebuilt as a power cut
// would have left it. Preload it:
//
//     LD_PRELOAD=recorder.so RECORD_FILE=/a/record RECORD_FOLDER=/a/folder usher serve …
//
// A record is a sequence of events. Each has a header, the name of the file in the folder, and the written bytes. Files
// whose names end in "-shm" are shared memory and are not recorded. Changes and their events happen under one lock, so
// that the events have the order of the changes. Only syncs run outside of the lock; each has one event for its start
// and one for its end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DESCRIPTORS = 65536, NAME = 64 };

struct header {
  uint32_t magic;
  uint32_t kind;
  // The offset of a write, the new size of a file, or the flags of open().
  uint64_t offset;
  uint32_t thread;
  uint32_t name_length;
  uint32_t length;
  uint32_t zero;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static char names[DESCRIPTORS][NAME];
static const char *folder;
static int record = -1;

#define REAL(name) ((__typeof__(&name))real(#name))

static void *real(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (!function) abort();
  return function;
}

static void fail(const char *problem) {
  dprintf(2, "recorder: %s: %s\n", problem, strerror(errno));
  abort();
}

static void start(void) {
  const char *path = getenv("RECORD_FILE");
  folder = getenv("RECORD_FOLDER");
  if (!path || !folder) fail("set RECORD_FILE and RECORD_FOLDER");
  int file = REAL(open64)(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  // A high descriptor, because programs rely on the numbers of the low ones.
  record = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, 900);
  if (record < 0) fail("the record cannot be opened");
  REAL(close)(file);
}

// Returns the name within the folder, "." for the folder itself, or NULL for files that are not recorded.
static const char *name_of(const char *path) {
  pthread_once(&once, start);
  size_t length = strlen(folder);
  if (strncmp(path, folder, length) != 0) return NULL;
  if (path[length] == 0) return ".";
  if (path[length] != '/') return NULL;
  const char *name = path + length + 1;
  size_t size = strlen(name);
  if (size == 0) return ".";
  if (strchr(name, '/') || (size > 4 && strcmp(name + size - 4, "-shm") == 0)) return NULL;
  if (size >= NAME) fail("a name is too long");
  return name;
}

static const char *name_at(int file) {
  return file >= 0 && file < DESCRIPTORS && names[file][0] ? names[file] : NULL;
}

static void append(char kind, const char *name, uint64_t offset, const void *bytes, size_t length) {
  uint32_t thread = (uint32_t)syscall(SYS_gettid);
  struct header header = {0x52485355, (uint32_t)kind, offset, thread, (uint32_t)strlen(name), (uint32_t)length, 0};
  struct iovec parts[3] = {{&header, sizeof header}, {(void *)name, strlen(name)}, {(void *)bytes, length}};
  ssize_t size = (ssize_t)(sizeof header + strlen(name) + length);
  if (REAL(writev)(record, parts, 3) != size) fail("the record cannot be written");
}

static int opened(int file, const char *path, int flags) {
  const char *name = file < 0 ? NULL : name_of(path);
  if (!name) return file;
  if (file >= DESCRIPTORS) fail("too many files are open");
  strcpy(names[file], name);
  append('o', name, (uint64_t)flags, NULL, 0);
  return file;
}

#define OPEN(function)                                    \
  int function(const char *path, int flags, ...) {        \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    int mode = va_arg(rest, int);                         \
    va_end(rest);                                         \
    if (!name_of(path)) return REAL(function)(path, flags, mode); \
    pthread_mutex_lock(&lock);                            \
    int file = opened(REAL(function)(path, flags, mode), path, flags); \
    pthread_mutex_unlock(&lock);                          \
    return file;                                          \
  }

OPEN(open)
OPEN(open64)

int close(int file) {
  if (!name_at(file)) return REAL(close)(file);
  pthread_mutex_lock(&lock);
  names[file][0] = 0;
  pthread_mutex_unlock(&lock);
  return REAL(close)(file);
}

static ssize_t written(const char *name, int64_t offset, const void *bytes, ssize_t length) {
  if (length > 0) append('w', name, (uint64_t)offset, bytes, (size_t)length);
  return length;
}

#define PWRITE(function, type)                                                              \
  ssize_t function(int file, const void *bytes, size_t length, type offset) {               \
    const char *name = name_at(file);                                                       \
    if (!name) return REAL(function)(file, bytes, length, offset);                          \
    pthread_mutex_lock(&lock);                                                              \
    ssize_t done = written(name, offset, bytes, REAL(function)(file, bytes, length, offset)); \
    pthread_mutex_unlock(&lock);                                                            \
    return done;                                                                            \
  }

PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

ssize_t write(int file, const void *bytes, size_t length) {
  const char *name = name_at(file);
  if (!name) return REAL(write)(file, bytes, length);
  pthread_mutex_lock(&lock);
  ssize_t done = REAL(write)(file, bytes, length);
  // With O_APPEND, the offset is known only after the write.
  if (done > 0) written(name, lseek64(file, 0, SEEK_CUR) - done, bytes, done);
  pthread_mutex_unlock(&lock);
  return done;
}

#define TRUNCATE(function, type)                    \
  int function(int file, type size) {               \
    const char *name = name_at(file);               \
    if (!name) return REAL(function)(file, size);   \
    pthread_mutex_lock(&lock);                      \
    int result = REAL(function)(file, size);        \
    if (result == 0) append('t', name, (uint64_t)size, NULL, 0); \
    pthread_mutex_unlock(&lock);                    \
    return result;                                  \
  }

TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define SYNC(function)                        \
  int function(int file) {                    \
    const char *name = name_at(file);         \
    if (!name) return REAL(function)(file);   \
    pthread_mutex_lock(&lock);                \
    append('b', name, 0, NULL, 0);            \
    pthread_mutex_unlock(&lock);              \
    int result = REAL(function)(file);        \
    if (result != 0) return result;           \
    pthread_mutex_lock(&lock);                \
    append('e', name, 0, NULL, 0);            \
    pthread_mutex_unlock(&lock);              \
    return 0;                                 \
  }

SYNC(fsync)
SYNC(fdatasync)

int unlink(const char *path) {
  const char *name = name_of(path);
  if (!name) return REAL(unlink)(path);
  pthread_mutex_lock(&lock);
  int result = REAL(unlink)(path);
  if (result == 0) append('u', name, 0, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

int rename(const char *from, const char *to) {
  const char *old = name_of(from), *new = name_of(to);
  if (!old && !new) return REAL(rename)(from, to);
  if (!old || !new) fail("a file was moved into or out of the folder");
  pthread_mutex_lock(&lock);
  int result = REAL(rename)(from, to);
  if (result == 0) append('r', old, 0, new, strlen(new));
  pthread_mutex_unlock(&lock);
  return result;
}
