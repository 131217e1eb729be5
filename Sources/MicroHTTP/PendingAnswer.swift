import CMicroHTTPD
import Synchronization

/// The answer to a request, and the executor of the handler that makes it: all of it runs on the connection's polling thread.
/// While the handler waits for something, the connection is suspended.
///
/// Whoever settles the answer first, the handler, the watchdog or a stopping server, resumes the connection; everybody else
/// is too late.
final class PendingAnswer: TaskExecutor {
  private enum State {
    /// The handler is at it. The jobs are what it goes on with.
    case open(jobs: [UnownedJob], isSuspended: Bool)
    case settled(Response, closing: Bool)
    case taken
  }

  /// How far a request got.
  enum Progress {
    case answered(Response, closing: Bool)
    case suspended
    /// It had been answered before.
    case over
  }

  let request: Request
  private let connection: ConnectionHandle
  private let state = Mutex(State.open(jobs: [], isSuspended: false))

  init(to request: Request, connection: ConnectionHandle) {
    self.request = request
    self.connection = connection
  }

  /// Hands the answer in, and resumes the connection unless another answer came first. When it returns, the
  /// connection has been resumed, by whomever: that is why it happens under the lock.
  func settle(_ response: Response, closing: Bool = false) {
    let orphans = state.withLock { state -> [UnownedJob] in
      guard case .open(let jobs, let isSuspended) = state else {
        response.stream?.abandon()
        return []
      }
      state = .settled(response, closing: closing)
      if isSuspended { MHD_resume_connection(connection.pointer) }
      return jobs
    }
    run(orphans)
  }

  /// The handler can go on, which it does on the polling thread; or right here, if its answer is not wanted any more.
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isTaken = state.withLock { state in
      guard case .open(let jobs, let isSuspended) = state else { return false }
      state = .open(jobs: jobs + [job], isSuspended: false)
      if isSuspended { MHD_resume_connection(connection.pointer) }
      return true
    }
    if !isTaken { run([job]) }
  }

  /// Lets the handler go on as far as it can, and suspends the connection where it has to wait. Called by the connection's
  /// polling thread.
  func proceed() -> Progress {
    while true {
      var due: [UnownedJob] = []
      let progress = state.withLock { state -> Progress? in
        switch state {
        case .open(let jobs, _):
          due = jobs
          state = .open(jobs: [], isSuspended: jobs.isEmpty)
          guard jobs.isEmpty else { return nil }
          MHD_suspend_connection(connection.pointer)
          return .suspended
        case .settled(let response, let closing):
          state = .taken
          return .answered(response, closing: closing)
        case .taken:
          return .over
        }
      }
      if let progress { return progress }
      run(due)
    }
  }

  private func run(_ jobs: [UnownedJob]) {
    for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}
