#ifndef CCRASHREPORT_H
#define CCRASHREPORT_H

/* The app's own code that a thread runs, as text that outlives the run. All are null outside of it. */
struct crash_place {
  const unsigned char *app;
  const unsigned char *coordinator;
  const unsigned char *kind;
  const unsigned char *name;
};

extern _Thread_local struct crash_place crash_place_now;

/* Inline, because every call of an app's handler passes here twice. Returns the place around. */
static inline __attribute__((always_inline)) struct crash_place crash_place_enter(
    const unsigned char *app, const unsigned char *coordinator, const unsigned char *kind, const unsigned char *name) {
  struct crash_place outer = crash_place_now;
  crash_place_now = (struct crash_place){app, coordinator, kind, name};
  return outer;
}

static inline __attribute__((always_inline)) void crash_place_leave(struct crash_place outer) {
  crash_place_now = outer;
}

/* Writes the place to standard error when a trap or a fault ends the process, and leaves the rest to the handlers before. */
void crash_report_install(void);

#endif
