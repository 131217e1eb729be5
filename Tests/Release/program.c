// Stands in for the executable in the archives of the tests: has its version, serves, and reports its health.
#include <signal.h>
#include <stdio.h>
#include <string.h>

#ifndef SERVE
#define SERVE "serve"
#endif

int main(int count, char **arguments) {
  const char *command = count > 1 ? arguments[1] : "";
  if (strcmp(command, "--version") == 0) {
    puts(VERSION);
  } else if (strcmp(command, SERVE) == 0) {
    sigset_t end;
    int received;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, NULL);
    puts("usher serves on http://127.0.0.1:9");
    fflush(stdout);
    sigwait(&end, &received);
  } else if (strcmp(command, "health") != 0) {
    return 64;
  }
  return 0;
}
