/// Where a handler goes on after it has waited: on the thread that ended its wait. A thread pool in between would cost each
/// answer a change of threads.
final class HandlerExecutor: TaskExecutor {
  static let shared = HandlerExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
  }
}
