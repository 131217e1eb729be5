internal import Dispatch

/// Threads for jobs that wait for a disk. Swift's own threads are as many as the processors, and must not wait.
package final class BlockingThreads: Sendable {
  private let queue = JobQueue<@Sendable () -> Void>()
  private let threads = DispatchGroup()

  /// - Parameter name: the name of each thread, of which the system keeps 15 bytes.
  package init(_ name: String, count: Int) {
    for _ in 0..<count {
      threads.startThread(name) { [queue] in while let job = queue.dequeue() { job() } }
    }
  }

  deinit { queue.close() }

  /// Adds a job. Returns false after ``stop()``; then the job will not run.
  package func add(_ job: @escaping @Sendable () -> Void) -> Bool { queue.enqueue(job) }

  /// Refuses new jobs, and blocks until the pending ones are done.
  package func stop() {
    queue.close()
    threads.wait()
  }
}
