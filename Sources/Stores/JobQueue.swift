internal import Foundation

/// A queue of jobs for threads that process jobs in batches. While a thread is busy, the jobs for its next batch gather
/// here.
final class JobQueue<Job: Sendable>: @unchecked Sendable {
  // Unchecked, because all access to the properties below is under the condition's lock.
  private let condition = Condition()
  private var jobs: [Job] = []
  private var isClosed = false
  /// The queue length at which `enqueue` wakes the waiting thread.
  private var wakeLength = 1
  /// The number of jobs in the previous batch.
  private var previousCount = 1

  /// Adds a job. Returns false if the queue is closed; then the job will not run.
  func enqueue(_ job: Job) -> Bool {
    condition.withLock {
      guard !isClosed else { return false }
      jobs.append(job)
      if jobs.count == 1 || jobs.count == wakeLength { condition.signal() }
      return true
    }
  }

  /// Waits for a job, and removes the oldest one. Returns nil once the queue is closed and empty.
  func dequeue() -> Job? {
    condition.withLock {
      guard waitForJob() else { return nil }
      if jobs.count > 1 { condition.signal() }
      return jobs.removeFirst()
    }
  }

  /// Waits for a batch of jobs, and removes it. Returns nil once the queue is closed and empty. Only one thread may use
  /// this method.
  ///
  /// A batch has up to `limit` of the oldest jobs. Its first job waits up to `timeout` nanoseconds for others.
  ///
  /// - Parameter gathered: returns the number of jobs to wait for, from the number of jobs in the previous batch.
  func dequeueBatch(
    limit: Int = .max, timeout: Int, gathering gathered: (_ previousCount: Int) -> Int
  ) -> [Job]? {
    condition.withLock {
      guard waitForJob() else { return nil }
      let count = gathered(previousCount)
      if jobs.count < count {
        let deadline = Condition.deadline(in: timeout)
        wakeLength = count
        while jobs.count < count, !isClosed, condition.wait(until: deadline) {}
        wakeLength = 1
      }
      previousCount = min(jobs.count, limit)
      defer { jobs = previousCount == jobs.count ? [] : Array(jobs[previousCount...]) }
      return previousCount == jobs.count ? jobs : Array(jobs[..<previousCount])
    }
  }

  /// Returns false once the queue is closed and empty. The caller holds the lock.
  private func waitForJob() -> Bool {
    while jobs.isEmpty {
      if isClosed { return false }
      condition.wait()
    }
    return true
  }

  /// Removes the jobs that need not run any more, and returns them.
  func remove(where isObsolete: (Job) -> Bool) -> [Job] {
    condition.withLock {
      let removed = jobs.filter(isObsolete)
      if !removed.isEmpty { jobs.removeAll(where: isObsolete) }
      return removed
    }
  }

  /// Refuses further jobs. Threads still dequeue the jobs that are in the queue.
  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }
}

/// A lock with a condition variable on the monotonic clock. Foundation's `NSCondition` uses the wall clock: if that is
/// set back, a timed wait takes longer by as much.
///
/// Unchecked, because the system's mutex and condition variable are made for concurrent use.
private final class Condition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  func withLock<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Releases the lock until there is a signal. May also return without one.
  func wait() { pthread_cond_wait(condition, mutex) }

  /// Releases the lock until there is a signal. Returns false once the deadline has passed; may also return without a
  /// signal.
  func wait(until deadline: timespec) -> Bool {
    var deadline = deadline
    return pthread_cond_timedwait(condition, mutex, &deadline) != ETIMEDOUT
  }

  /// Returns the time in so many nanoseconds, which must be less than a second.
  static func deadline(in nanoseconds: Int) -> timespec {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    time.tv_nsec += nanoseconds
    if time.tv_nsec >= 1_000_000_000 {
      time.tv_sec += 1
      time.tv_nsec -= 1_000_000_000
    }
    return time
  }

  /// Wakes one waiting thread.
  func signal() { pthread_cond_signal(condition) }

  /// Wakes all waiting threads.
  func broadcast() { pthread_cond_broadcast(condition) }
}

extension Thread {
  /// Starts a thread with a name that debuggers show.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread { body() }
    thread.name = name
    thread.start()
  }
}

extension DispatchGroup {
  /// Starts a thread for which ``wait()`` waits.
  func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    enter()
    Thread.start(name) { [self] in
      body()
      leave()
    }
  }
}
