import CMicroHTTPD
import Synchronization

/// The answer to a request, and the executor of the handler that makes it: all of it runs on the connection's polling thread.
/// While the handler waits for something, the connection is suspended.
///
/// The handler, the watchdog and a stopping server may each settle the answer; the first of them resumes the connection, and the others
/// are too late. A connection that ends abandons its answer, and the handler runs on where it is resumed.
final class PendingAnswer: TaskExecutor {
  private enum State {
    /// The handler is at it. The jobs are what it goes on with.
    case open(jobs: [UnownedJob], isSuspended: Bool)
    case settled(Response, closing: Bool)
    /// The answer was taken, or abandoned.
    case over
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
  private let engine: Engine
  private let state = Mutex(State.open(jobs: [], isSuspended: false))

  init(to request: Request, connection: ConnectionHandle, engine: Engine) {
    self.request = request
    self.connection = connection
    self.engine = engine
  }

  /// Has the handler begin, and hands its answer in.
  func begin() {
    Task.immediate(executorPreference: self) { [self] in
      let response = await engine.handler.respond(to: request)
      guard !settle(response, closing: false) else { return }
      response.stream?.abandon()
      engine.abandonedHandlers.subtract(1, ordering: .relaxed)
    }
  }

  /// Answers in the handler's place, unless there is an answer already.
  func replace(with refusal: Refusal, closing: Bool = false) {
    abandonHandler { settle(engine.handler.refuse(refusal, of: request), closing: closing) }
  }

  /// The connection has ended: nothing will be sent.
  func abandon() {
    abandonHandler {
      let jobs = state.withLock { state -> [UnownedJob]? in
        defer { state = .over }
        switch state {
        case .open(let jobs, _): return jobs
        case .settled(let response, _):
          response.stream?.abandon()
          return nil
        case .over: return nil
        }
      }
      // Without them the handler's task would never end.
      if let jobs { run(jobs) }
      return jobs != nil
    }
  }

  /// Counts the handler as one that nobody waits for, until it ends.
  ///
  /// - Parameter isFirst: ends the waiting; false where it had ended before.
  private func abandonHandler(_ isFirst: () -> Bool) {
    // Before it happens: from then on the handler may end at any time.
    engine.abandonedHandlers.add(1, ordering: .relaxed)
    if !isFirst() { engine.abandonedHandlers.subtract(1, ordering: .relaxed) }
  }

  /// Hands an answer in, and resumes the connection, unless another answer came first. When it returns, the connection has been
  /// resumed, by whichever answer: that is why it happens under the lock.
  ///
  /// - Returns: whether the answer is the first.
  private func settle(_ response: Response, closing: Bool) -> Bool {
    let orphans = state.withLock { state -> [UnownedJob]? in
      guard case .open(let jobs, let isSuspended) = state else { return nil }
      state = .settled(response, closing: closing)
      if isSuspended { MHD_resume_connection(connection.pointer) }
      return jobs
    }
    if let orphans { run(orphans) }
    return orphans != nil
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
          state = .over
          return .answered(response, closing: closing)
        case .over:
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

/// The answers of all connections that are suspended.
///
/// The connection inserts its answer once it is suspended, and removes it when it sends the answer or ends, which it does only after
/// it was resumed. So once `close` is over and its answers are settled, no connection is suspended any more.
final class PendingAnswers: Sendable {
  private struct Item {
    let answer: PendingAnswer
    let began: MonotonicTime
    let deadline: MonotonicTime
  }

  private struct State {
    var answers: [ObjectIdentifier: Item] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.answers.count } }

  /// False once closed: the caller then settles the answer itself.
  func insert(_ answer: PendingAnswer, for patience: Int64) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      let now = MonotonicTime.now
      state.answers[ObjectIdentifier(answer)] = Item(answer: answer, began: now, deadline: now + patience)
      return true
    }
  }

  /// - Returns: since when it was suspended; nil where it was not.
  @discardableResult
  func remove(_ answer: PendingAnswer) -> MonotonicTime? {
    state.withLock { $0.answers.removeValue(forKey: ObjectIdentifier(answer))?.began }
  }

  /// The answers whose deadline has passed.
  func overdue(at now: MonotonicTime) -> [PendingAnswer] {
    state.withLock { state in state.answers.values.filter { $0.deadline < now }.map(\.answer) }
  }

  /// All answers; no more are accepted.
  func close() -> [PendingAnswer] {
    state.withLock { state in
      state.isClosed = true
      return state.answers.values.map(\.answer)
    }
  }
}
