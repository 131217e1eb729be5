// Reports synchronization inside the Swift runtime to the Thread Sanitizer. The runtime is not instrumented, so without
// this library the sanitizer would take every value that one thread hands to another for a race.
//
// Mutex: the uncontended path is instrumented code. Where threads wait, the runtime calls the system, which the
// sanitizer cannot see.
//
// Continuations: the runtime reports a resumed task by itself, once it knows that there is a sanitizer, but not a task
// that is resumed before it has suspended. The resuming thread therefore lets the task suspend first. It waits inside the
// report, because the runtime's own calls of its functions cannot be replaced.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define SELF __attribute__((swift_context)) void *handle
#define SLOW_LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define SLOW_UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Weak, because only programs built for the sanitizer define them. The library is also preloaded into the programs that
// start those.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

extern __attribute__((swiftcall)) void *swift_task_getCurrent(void) __attribute__((weak));

// The code of a function of the runtime.
struct function {
  const char *name;
  uintptr_t start;
  uintptr_t size;
};

static struct function resumptions[] = {
    {"swift_continuation_resume"},
    {"swift_continuation_throwingResume"},
    {"swift_continuation_throwingResumeWithError"},
};

#define RESUMPTION_COUNT (sizeof resumptions / sizeof resumptions[0])

static void locate(struct function *function) {
  void *address = dlsym(RTLD_DEFAULT, function->name);
  Dl_info library;
  ElfW(Sym) *symbol;
  if (!address || !dladdr1(address, &library, (void **)&symbol, RTLD_DL_SYMENT) || !symbol) abort();
  function->start = (uintptr_t)address;
  function->size = symbol->st_size;
}

static bool is_resumption(void *caller) {
  for (size_t i = 0; i < RESUMPTION_COUNT; i++)
    if ((uintptr_t)caller - resumptions[i].start < resumptions[i].size) return true;
  return false;
}

static void let_suspend(void *task) {
  // Swift's ABI: the task's context, and the state of its continuation: 0 before the task suspends, 1 while it is
  // suspended.
  char *context = *(char **)((char *)task + 0x40);
  _Atomic(uintptr_t) *state = (_Atomic(uintptr_t) *)(context + 0x18);
  // Bounded, because the task may wait for the resuming thread before it suspends.
  for (int turn = 0; turn < 50000 && atomic_load(state) == 0; turn++) usleep(100);
}

static void report_release(void *address) {
  __tsan_release(address);
  if (is_resumption(__builtin_return_address(0)) && swift_task_getCurrent() != address) let_suspend(address);
}

__attribute__((constructor)) static void announce_sanitizer(void) {
  void (*runtime)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "__tsan_on_initialize");
  void (**release)(void *) = (void (**)(void *))dlsym(RTLD_DEFAULT, "_swift_tsan_release");
  if (!runtime || !release || !__tsan_acquire) return;
  for (size_t i = 0; i < RESUMPTION_COUNT; i++) locate(&resumptions[i]);
  runtime();
  *release = report_release;
}

typedef __attribute__((swiftcall)) void slow_lock(uint32_t thread, SELF);
typedef __attribute__((swiftcall)) void slow_unlock(SELF);

slow_lock lock_slowly __asm__(SLOW_LOCK);
slow_unlock unlock_slowly __asm__(SLOW_UNLOCK);

__attribute__((swiftcall)) void lock_slowly(uint32_t thread, SELF) {
  slow_lock *library = (slow_lock *)dlsym(RTLD_NEXT, SLOW_LOCK);
  library(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

__attribute__((swiftcall)) void unlock_slowly(SELF) {
  slow_unlock *library = (slow_unlock *)dlsym(RTLD_NEXT, SLOW_UNLOCK);
  if (__tsan_release) __tsan_release(handle);
  library(handle);
}
