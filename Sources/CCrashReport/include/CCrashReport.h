#ifndef CCRASHREPORT_H
#define CCRASHREPORT_H

/* The place in the app's own code that a thread runs, null outside of it. The null-terminated texts outlive the run. */
struct crash_place {
  const unsigned char *app;
  const unsigned char *coordinator;
  const unsigned char *kind;
  const unsigned char *name;
};

extern _Thread_local struct crash_place crash_place_now;

/* Sets the place and returns the outer one. Inline, since every call of an app's handler sets the place twice. */
static inline __attribute__((always_inline)) struct crash_place crash_place_enter(
    const unsigned char *app, const unsigned char *coordinator, const unsigned char *kind, const unsigned char *name) {
  struct crash_place outer = crash_place_now;
  crash_place_now = (struct crash_place){app, coordinator, kind, name};
  return outer;
}

static inline __attribute__((always_inline)) void crash_place_leave(struct crash_place outer) {
  crash_place_now = outer;
}

/* Notes the event in the background that the thread applies from now on: at most 64 bytes. */
void crash_event_enter(const unsigned char *bytes, unsigned long size);
void crash_event_leave(void);

/* Installs signal handlers that write the place to standard error when a trap or a fault ends the process. The previous
   handlers run afterwards. The event of the thread, if there is one, goes to the end of a file; null for
   no file. */
void crash_report_install(const char *event_file);

#endif
