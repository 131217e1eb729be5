/// Jobs for threads that do many at once: a thread takes all that have come while it did the last ones.
final class JobQueue<Job: Sendable>: @unchecked Sendable {
  // Unchecked: everything below is touched under the condition's lock only.
  private let condition = Condition()
  private var jobs: [Job] = []
  private var isClosed = false
  /// Whoever waits is woken by the job that makes as many.
  private var awaited = 1

  /// False once the queue is closed: nobody will do the job.
  func put(_ job: Job) -> Bool {
    condition.withLock {
      guard !isClosed else { return false }
      jobs.append(job)
      if jobs.count == 1 || jobs.count == awaited { condition.signal() }
      return true
    }
  }

  /// The oldest job, waiting for one; nil once the queue is closed and empty.
  func take() -> Job? {
    condition.withLock {
      guard waitForJob() else { return nil }
      if jobs.count > 1 { condition.signal() }
      return jobs.removeFirst()
    }
  }

  /// The oldest jobs, at most `limit`, once there are `count` of them or `patience` nanoseconds have passed since the first; nil once
  /// the queue is closed and empty. For one thread.
  func take(atMost limit: Int, gathering count: Int, patience: Int) -> [Job]? {
    condition.withLock {
      guard waitForJob() else { return nil }
      if jobs.count < count {
        let deadline = Condition.moment(in: patience)
        awaited = count
        while jobs.count < count, !isClosed, condition.wait(until: deadline) {}
        awaited = 1
      }
      defer { jobs.removeFirst(min(limit, jobs.count)) }
      return Array(jobs.prefix(limit))
    }
  }

  /// The jobs that can be done together with the oldest one, it included, at most `limit`; waits for one. Nil once the queue is
  /// closed and empty.
  func take(atMost limit: Int, with areAlike: (Job, Job) -> Bool) -> [Job]? {
    condition.withLock {
      guard waitForJob() else { return nil }
      let oldest = jobs[0]
      var taken = [oldest]
      var left: [Job] = []
      for job in jobs.dropFirst() {
        if taken.count < limit, areAlike(oldest, job) { taken.append(job) } else { left.append(job) }
      }
      jobs = left
      if !jobs.isEmpty { condition.signal() }
      return taken
    }
  }

  /// False once there will be none; called under the lock.
  private func waitForJob() -> Bool {
    while jobs.isEmpty {
      if isClosed { return false }
      condition.wait()
    }
    return true
  }

  /// Takes out what nobody is to do any more.
  func remove(_ isOver: (Job) -> Bool) -> [Job] {
    condition.withLock {
      let removed = jobs.filter(isOver)
      if !removed.isEmpty { jobs.removeAll(where: isOver) }
      return removed
    }
  }

  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }
}
