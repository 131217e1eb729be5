#include "CCrashReport.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

_Thread_local struct crash_location crash_location_now;

static _Thread_local struct {
  unsigned long size;
  unsigned char bytes[64];
} event_now;
static char event_file[4096];

void crash_event_enter(const unsigned char *bytes, unsigned long size) {
  if (size > sizeof event_now.bytes) return;
  memcpy(event_now.bytes, bytes, size);
  event_now.size = size;
}

void crash_event_leave(void) { event_now.size = 0; }

/* A Swift trap raises SIGILL on x86-64 and SIGTRAP on arm64. */
static const int signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
enum { signal_count = sizeof signals / sizeof signals[0] };
static struct sigaction handlers_before[signal_count];

static size_t put(char *line, size_t size, size_t length, const char *text) {
  while (text && *text && length + 2 < size) line[length++] = *text++;
  return length;
}

/* Calls only functions that are safe in a signal handler (signal-safety(7)), since memory may be in any state. */
static void report(int number, siginfo_t *info, void *context) {
  (void)context;
  const struct crash_location location = crash_location_now;
  if (location.app) {
    char line[512];
    size_t length = put(line, sizeof line, 0, "Fatal: the code of the app ");
    length = put(line, sizeof line, length, (const char *)location.app);
    length = put(line, sizeof line, length, " crashed: ");
    if (location.coordinator) {
      length = put(line, sizeof line, length, "coordinator ");
      length = put(line, sizeof line, length, (const char *)location.coordinator);
      length = put(line, sizeof line, length, ", ");
    }
    length = put(line, sizeof line, length, (const char *)location.kind);
    if (location.name) {
      length = put(line, sizeof line, length, " ");
      length = put(line, sizeof line, length, (const char *)location.name);
    }
    line[length++] = '\n';
    if (write(STDERR_FILENO, line, length) < 0) { /* No other place is left for a report. */ }
  }
  if (location.app && event_now.size > 0 && event_file[0]) {
    int file = open(event_file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) {
      if (write(file, event_now.bytes, event_now.size) < 0) { /* The event is tried again. */ }
      close(file);
    }
  }
  for (int index = 0; index < signal_count; index++) {
    if (signals[index] == number) sigaction(number, &handlers_before[index], 0);
  }
  /* The return repeats a faulty instruction, which raises its signal again. A sent signal must be sent again. */
  if (info->si_code <= 0) raise(number);
}

void crash_report_install(const char *path) {
  if (path && strlen(path) < sizeof event_file) strcpy(event_file, path);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = report;
  /* Runs on the alternate stack of the thread, if there is one, since the fault may be an exhausted stack. */
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (int index = 0; index < signal_count; index++) {
    struct sigaction before;
    if (sigaction(signals[index], 0, &before) != 0 || before.sa_sigaction == report) continue;
    handlers_before[index] = before;
    sigaction(signals[index], &action, 0);
  }
}
