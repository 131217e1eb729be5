import CMicroHTTPD
import Dispatch
import Synchronization

/// The pending response to a request, and the executor of its handler, which runs on the connection's polling thread.
/// While the handler awaits something, the connection is suspended.
///
/// The handler, the watchdog and a stopping server may each settle the response. The first one resumes the connection;
/// later ones have no effect. A connection that ends abandons its pending response, and the handler continues on
/// threads of Dispatch.
final class PendingResponse: TaskExecutor {
  private enum State {
    /// The handler runs or awaits something.
    case open(next: [HandlerStep], isSuspended: Bool)
    case settled(Response, closing: Bool)
    /// The response was taken, or abandoned.
    case finished
  }

  /// A step of the handler.
  private enum HandlerStep {
    case job(UnownedJob)
    case rest(@Sendable () -> Reply)
  }

  /// The progress of a request.
  enum Progress {
    case responded(Response, closing: Bool)
    case suspended
    /// The response was taken before.
    case finished
  }

  let request: Request
  private let connection: ConnectionHandle
  private let socket: ConnectionSocket
  private let context: ServerContext
  private let state = Mutex(State.open(next: [], isSuspended: false))
  /// Whether the client asked for the wait. ``SuspendedRequests`` sets it under its lock.
  fileprivate(set) nonisolated(unsafe) var isWaiting = false
  /// The start of the suspension. ``SuspendedRequests`` sets it under its lock.
  fileprivate nonisolated(unsafe) var suspendedSince = MonotonicTime.never
  /// The task that waits for the client.
  private let waiting = Mutex<Task<Void, Never>?>(nil)

  init(to request: Request, connection: ConnectionHandle, socket: ConnectionSocket, context: ServerContext) {
    self.request = request
    self.connection = connection
    self.socket = socket
    self.context = context
  }

  /// Starts the work of the handler, whose result settles the response.
  func follow(_ reply: Reply) {
    switch reply {
    case .response(let response): end(with: response)
    case .later(let work): Task.immediate(executorPreference: self) { [self] in follow(await work()) }
    case .waiting(let work):
      context.suspendedRequests.markWaiting(self)
      let task = Task.immediate(executorPreference: self) { [self] in end(with: await work()) }
      waiting.withLock { $0 = task }
    case .callback(let begin): begin { [self] rest in schedule(.rest(rest)) }
    }
  }

  private func end(with response: Response) {
    guard !settle(response, closing: false) else { return }
    response.stream?.abandon()
    context.abandonedHandlers.subtract(1, ordering: .relaxed)
  }

  /// Responds instead of the handler, unless the response is settled.
  func replace(with refusal: Refusal, closing: Bool = false) {
    abandonHandler { settle(context.handler.refuse(refusal, of: request), closing: closing) }
  }

  /// Ends the wait that a client has asked for, if the client has disconnected or closed its side. The library does not
  /// notice that while the connection is suspended.
  func endWaitOfDisconnectedClient() {
    if socket.isAtEnd { cancelWait() }
  }

  private func cancelWait() { waiting.withLock { $0 }?.cancel() }

  /// Drops the response, because the connection has ended.
  func abandon() {
    cancelWait()
    abandonHandler {
      let steps = state.withLock { state -> [HandlerStep]? in
        defer { state = .finished }
        switch state {
        case .open(let steps, _): return steps
        case .settled(let response, _):
          response.stream?.abandon()
          return nil
        case .finished: return nil
        }
      }
      // Without these steps the handler would never end.
      if let steps { run(steps) }
      return steps != nil
    }
  }

  /// Counts the handler as abandoned, until it ends.
  ///
  /// - Parameter isFirst: settles or abandons the response; returns false if that had happened before.
  private func abandonHandler(_ isFirst: () -> Bool) {
    // The count comes first, because the handler may end at any time after the response is settled.
    context.abandonedHandlers.add(1, ordering: .relaxed)
    if !isFirst() { context.abandonedHandlers.subtract(1, ordering: .relaxed) }
  }

  /// Settles the response and resumes the connection, unless the response is settled.
  ///
  /// The lock is held while the connection resumes, so that after any call the connection has been resumed.
  ///
  /// - Returns: whether this call settled the response.
  private func settle(_ response: Response, closing: Bool) -> Bool {
    let orphans = state.withLock { state -> [HandlerStep]? in
      guard case .open(let steps, let isSuspended) = state else { return nil }
      state = .settled(response, closing: closing)
      if isSuspended { MHD_resume_connection(connection.pointer) }
      return steps
    }
    if let orphans { run(orphans) }
    return orphans != nil
  }

  func enqueue(_ job: consuming ExecutorJob) { schedule(.job(UnownedJob(job))) }

  /// Schedules the handler's next step on the polling thread, or on a thread of Dispatch if the response is settled.
  /// Never runs it here: the caller may be the cancellation of a task, during which the runtime holds locks.
  private func schedule(_ step: HandlerStep) {
    let isScheduled = state.withLock { state in
      guard case .open(let steps, let isSuspended) = state else { return false }
      // Nearly always the only step. A sum of arrays would allocate twice.
      state = .open(next: steps.isEmpty ? [step] : steps + [step], isSuspended: false)
      if isSuspended { MHD_resume_connection(connection.pointer) }
      return true
    }
    if !isScheduled { DispatchQueue.global().async { [self] in run([step]) } }
  }

  /// Runs the handler as far as possible, and suspends the connection if the handler awaits something. The connection's
  /// polling thread calls it.
  func proceed() -> Progress {
    while true {
      var due: [HandlerStep] = []
      let progress = state.withLock { state -> Progress? in
        switch state {
        case .open(let steps, _):
          due = steps
          state = .open(next: [], isSuspended: steps.isEmpty)
          guard steps.isEmpty else { return nil }
          MHD_suspend_connection(connection.pointer)
          return .suspended
        case .settled(let response, let closing):
          state = .finished
          return .responded(response, closing: closing)
        case .finished:
          return .finished
        }
      }
      if let progress { return progress }
      run(due)
    }
  }

  private func run(_ steps: [HandlerStep]) {
    for step in steps {
      switch step {
      case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .rest(let rest): follow(rest())
      }
    }
  }
}

/// The suspended requests of all connections, as their pending responses.
///
/// A connection inserts its response after its suspension, and removes it when it sends the response or ends. A
/// connection sends or ends only after it was resumed, so no connection is suspended once the set is closed and its
/// responses are settled.
final class SuspendedRequests: Sendable {
  private struct State {
    var responses: [ObjectIdentifier: PendingResponse] = [:]
    /// The number of requests that wait because their client asks for it.
    var waitingCount = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  var count: Int { state.withLock { $0.responses.count } }

  /// The number of requests without those that wait because their client asks for it.
  var delayedCount: Int { state.withLock { $0.responses.count - $0.waitingCount } }

  /// The responses to requests that wait because their client asks for it.
  var waiting: [PendingResponse] {
    state.withLock { $0.waitingCount == 0 ? [] : $0.responses.values.filter(\.isWaiting) }
  }

  /// Marks a request that waits because its client asks for it.
  func markWaiting(_ response: PendingResponse) {
    state.withLock { state in
      response.isWaiting = true
      if state.responses[ObjectIdentifier(response)] != nil { state.waitingCount += 1 }
    }
  }

  /// Inserts a response. Returns false once the set is closed; the caller then settles the response itself.
  func insert(_ response: PendingResponse) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      response.suspendedSince = .now
      state.responses[ObjectIdentifier(response)] = response
      if response.isWaiting { state.waitingCount += 1 }
      return true
    }
  }

  /// Removes a response.
  ///
  /// - Returns: the start of the suspension, or nil if the request was not suspended, or waited because its client asked
  ///   for it.
  @discardableResult
  func remove(_ response: PendingResponse) -> MonotonicTime? {
    state.withLock { state in
      guard state.responses.removeValue(forKey: ObjectIdentifier(response)) != nil else { return nil }
      guard response.isWaiting else { return response.suspendedSince }
      state.waitingCount -= 1
      return nil
    }
  }

  /// Returns the responses whose requests have been suspended for longer than a timeout in nanoseconds.
  func overdue(at now: MonotonicTime, timeout: Int64) -> [PendingResponse] {
    state.withLock { $0.responses.values.filter { $0.suspendedSince + timeout < now } }
  }

  /// Closes the set to further responses, and returns all that are in it.
  func close() -> [PendingResponse] {
    state.withLock { state in
      state.isClosed = true
      return Array(state.responses.values)
    }
  }
}
