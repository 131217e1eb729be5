#ifndef CCRASHREPORT_H
#define CCRASHREPORT_H

/* The location in the app's own code that a thread runs, null outside of it. The null-terminated texts outlive the run. */
struct crash_location {
  const unsigned char *app;
  const unsigned char *coordinator;
  const unsigned char *kind;
  const unsigned char *name;
};

extern _Thread_local struct crash_location crash_location_now;

/* Sets the location and returns the outer one. Inline, since every call of an app's handler sets the location twice. */
static inline __attribute__((always_inline)) struct crash_location crash_location_enter(
    const unsigned char *app, const unsigned char *coordinator, const unsigned char *kind, const unsigned char *name) {
  struct crash_location outer = crash_location_now;
  crash_location_now = (struct crash_location){app, coordinator, kind, name};
  return outer;
}

static inline __attribute__((always_inline)) void crash_location_leave(struct crash_location outer) {
  crash_location_now = outer;
}

/* Notes the event in the background that the thread applies from now on: at most 64 bytes. */
void crash_event_enter(const unsigned char *bytes, unsigned long size);
void crash_event_leave(void);

/* Installs signal handlers that write the location to standard error when a trap or a fault ends the process. The previous
   handlers run afterwards. The event of the thread, if there is one, goes to the end of a file; null for
   no file. */
void crash_report_install(const char *event_file);

#endif
