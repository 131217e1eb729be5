// Tells the Thread Sanitizer of what the Swift runtime does between threads, which it cannot see, because the runtime is not
// instrumented: without it what one thread hands to another would look like a race.
//
// A Mutex: taking and freeing a lock that nobody else wants is instrumented code; where threads wait, the runtime asks the system.
// A task that is resumed: the runtime tells the sanitizer, once it has been told itself that there is one; but not where a task is
// resumed before it has begun to wait. So whoever resumes it lets it begin first.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

#define SELF __attribute__((swift_context)) void *handle
#define SLOW_LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define SLOW_UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

// Only a program that was built for the sanitizer has them; those that start that one do not.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

__attribute__((constructor)) static void introduce(void) {
  void (*runtime)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "__tsan_on_initialize");
  if (runtime && __tsan_acquire) runtime();
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

typedef __attribute__((swiftcall)) void resume(void *task);

resume resume_task __asm__("swift_continuation_resume");

__attribute__((swiftcall)) void resume_task(void *task) {
  // Swift's ABI: a task's context, and what the task is at there: 0 before it waits, 1 while it does.
  char *context = *(char **)((char *)task + 0x40);
  _Atomic(uintptr_t) *state = (_Atomic(uintptr_t) *)(context + 0x18);
  // A task that resumes itself never waits.
  for (int turn = 0; turn < 1000 && atomic_load(state) == 0; turn++) usleep(100);
  resume *library = (resume *)dlsym(RTLD_NEXT, "swift_continuation_resume");
  library(task);
}
