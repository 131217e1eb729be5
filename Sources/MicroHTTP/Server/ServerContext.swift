import Synchronization

/// What all connections of one server share.
final class Engine: Sendable {
  let handler: any Handler
  let log: @Sendable (String) -> Void
  let libraryLog: LibraryLog
  let limits: Limits
  let sockets = OpenSockets()
  let pending = PendingAnswers()
  let admission: Admission
  /// Handlers whose answers are not waited for any more.
  let abandonedHandlers = Atomic(0)

  /// Requests whose head has arrived and whose answer is not yet sent.
  private let inFlight = Atomic(0)
  private let connections = Atomic(0)
  private let streams = Atomic(0)
  private let draining = Atomic(false)

  init(configuration: Server.Configuration, handler: any Handler, log: @escaping @Sendable (String) -> Void) {
    self.handler = handler
    self.log = log
    libraryLog = LibraryLog(log)
    limits = Limits(configuration)
    admission = Admission(floor: configuration.overloadFloor)
  }

  /// Counts a request, and tells why it is not admitted. It counts until `requestEnded` either way.
  func requestBegan(_ target: String?) -> Refusal? {
    let count = inFlight.add(1, ordering: .sequentiallyConsistent).newValue
    return count > limits.inFlight && !isAlwaysServed(target) ? .overloaded : nil
  }

  /// Why a request is not handed to the handler although all of it is here.
  ///
  /// - Parameter free: since when its connection has had no other request.
  func refusal(
    of target: String?, on socket: Int32, since free: MonotonicTime, _ visits: inout Admission.Visits
  ) -> Refusal? {
    let isRefused =
      admission.refusesArrival(on: socket, since: free, &visits, among: connections.load(ordering: .relaxed)) {
        sockets.unreadCount
      }
      || admission.refusesSuspension(&visits) { pending.count }
    return isRefused && !isAlwaysServed(target) ? .overloaded : nil
  }

  private func isAlwaysServed(_ target: String?) -> Bool {
    guard let path = target?.prefix(while: { $0 != "?" }) else { return false }
    return limits.alwaysServed.contains(String(path))
  }

  func requestEnded() {
    inFlight.subtract(1, ordering: .sequentiallyConsistent)
  }

  var load: Server.Load {
    Server.Load(
      connections: connections.load(ordering: .relaxed), requests: inFlight.load(ordering: .relaxed),
      suspended: pending.count, abandonedHandlers: abandonedHandlers.load(ordering: .relaxed),
      streams: streams.load(ordering: .relaxed))
  }

  /// Whether no request is under way, and none waits in a socket to be read, or with its connection for a polling thread.
  var isIdle: Bool {
    inFlight.load(ordering: .sequentiallyConsistent) == 0
      && sockets.count == connections.load(ordering: .sequentiallyConsistent) && sockets.unreadCount == 0
  }

  /// From here on every answer is the last of its connection.
  func drain() {
    draining.store(true, ordering: .sequentiallyConsistent)
  }

  /// Counts a connection, until `connectionEnded`. False where there are as many as there may be.
  func connectionBegan() -> Bool {
    let isAdmitted = connections.add(1, ordering: .relaxed).newValue <= limits.connections
    if !isAdmitted { connectionEnded() }
    return isAdmitted
  }

  func connectionEnded() { connections.subtract(1, ordering: .relaxed) }

  /// Counts an answer that goes on, until `streamEnded`. False where there are as many as there may be.
  func streamBegan() -> Bool {
    let isAdmitted = streams.add(1, ordering: .relaxed).newValue <= limits.streams
    if !isAdmitted { streamEnded() }
    return isAdmitted
  }

  func streamEnded() { streams.subtract(1, ordering: .relaxed) }

  var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

  /// Ends what is streamed, because the server stops; false where nothing is.
  func endStreams() -> Bool {
    let streams = sockets.streams
    for stream in streams { stream.end() }
    return !streams.isEmpty
  }

  /// Has the handler begin with its answer.
  func begin(_ request: Request, on connection: ConnectionHandle) -> PendingAnswer {
    let answer = PendingAnswer(to: request, connection: connection, engine: self)
    answer.begin()
    return answer
  }

  /// A suspended request is about to be answered.
  func pendingAnswered(_ answer: PendingAnswer) {
    guard let began = pending.remove(answer) else { return }
    let now = MonotonicTime.now
    admission.answered(after: now.nanoseconds - began.nanoseconds, at: now) { pending.count }
  }

  /// The connection of a suspended request has ended. The time until then says nothing about the handler.
  func pendingAbandoned(_ answer: PendingAnswer) {
    pending.remove(answer)
    answer.abandon()
  }

  /// One round of the watchdog.
  func enforceDeadlines(at now: MonotonicTime) {
    sockets.cutOverdue(at: now)
    for stream in sockets.endAbandoned() { stream.abandon() }
    for answer in pending.overdue(at: now) { answer.replace(with: .timedOut) }
  }

  /// Answers every suspended connection, now and from here on, because the server stops; false where there is none.
  func settleAll() -> Bool {
    let answers = pending.close()
    for answer in answers { answer.replace(with: .draining, closing: true) }
    return !answers.isEmpty
  }
}
