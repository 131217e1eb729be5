internal import Foundation

/// Jobs for a thread that does many at once: it takes all that have come while it did the last ones.
final class JobQueue<Job: Sendable>: @unchecked Sendable {
  // Unchecked: everything below is touched under the condition's lock only.
  private let condition = NSCondition()
  private var jobs: [Job] = []
  private var isClosed = false

  /// False once the queue is closed: nobody will do the job.
  func put(_ job: Job) -> Bool {
    condition.withLock {
      guard !isClosed else { return false }
      jobs.append(job)
      if jobs.count == 1 { condition.signal() }
      return true
    }
  }

  /// The oldest jobs, at most `limit`, waiting for one; nil once the queue is closed and empty.
  func take(atMost limit: Int) -> [Job]? {
    condition.withLock {
      while jobs.isEmpty {
        if isClosed { return nil }
        condition.wait()
      }
      guard jobs.count > limit else {
        defer { jobs = [] }
        return jobs
      }
      defer {
        jobs.removeFirst(limit)
        condition.signal()
      }
      return Array(jobs.prefix(limit))
    }
  }

  func close() {
    condition.withLock {
      isClosed = true
      condition.broadcast()
    }
  }
}
