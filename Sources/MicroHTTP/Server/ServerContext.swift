import Synchronization

/// The state that all connections of one server share.
final class ServerContext: Sendable {
  let handler: any Handler
  let log: @Sendable (String) -> Void
  let libraryLog: LibraryLog
  let configuration: Server.Configuration
  let timeouts: Timeouts
  let sockets = OpenSockets()
  let suspendedRequests = SuspendedRequests()
  let admission: AdmissionControl
  /// Handlers that still run although their responses are no longer needed.
  let abandonedHandlers = Atomic(0)

  /// Requests whose head has arrived and whose response is not yet sent.
  private let inFlight = Atomic(0)
  private let connections = Atomic(0)
  private let streams = Atomic(0)
  private let draining = Atomic(false)

  init(configuration: Server.Configuration, handler: any Handler, log: @escaping @Sendable (String) -> Void) {
    self.configuration = configuration
    self.handler = handler
    self.log = log
    libraryLog = LibraryLog(log)
    timeouts = Timeouts(configuration)
    admission = AdmissionControl(threshold: configuration.loadSheddingThreshold)
  }

  var load: Server.Load {
    Server.Load(
      connections: connections.load(ordering: .relaxed), requests: inFlight.load(ordering: .relaxed),
      suspended: suspendedRequests.count, abandonedHandlers: abandonedHandlers.load(ordering: .relaxed),
      streams: streams.load(ordering: .relaxed))
  }

  /// One round of the watchdog.
  func enforceDeadlines(at now: MonotonicTime) {
    sockets.disconnectOverdue(at: now)
    for stream in sockets.handleHalfClosedSockets() { stream.abandon() }
    for response in suspendedRequests.waiting { response.endWaitOfDisconnectedClient() }
    for response in suspendedRequests.overdue(at: now, timeout: timeouts.handler) { response.replace(with: .timedOut) }
  }

  // MARK: - Connections and streams

  /// Counts a connection, until `connectionEnded`. Returns false above the limit.
  func connectionBegan() -> Bool {
    let isAdmitted = connections.add(1, ordering: .relaxed).newValue <= configuration.connectionLimit
    if !isAdmitted { connectionEnded() }
    return isAdmitted
  }

  func connectionEnded() { connections.subtract(1, ordering: .relaxed) }

  /// Counts a streamed response, until `streamEnded`. Returns false above the limit.
  func streamBegan() -> Bool {
    let isAdmitted = streams.add(1, ordering: .relaxed).newValue <= configuration.streamLimit
    if !isAdmitted { streamEnded() }
    return isAdmitted
  }

  func streamEnded() { streams.subtract(1, ordering: .relaxed) }

  // MARK: - Requests

  /// Counts a request until `requestEnded`, even if it is refused. Returns the refusal of a request above the limit.
  func requestBegan(_ target: String?) -> Refusal? {
    let count = inFlight.add(1, ordering: .sequentiallyConsistent).newValue
    return count > configuration.inFlightLimit && !isAlwaysServed(target) ? .overloaded : nil
  }

  func requestEnded() {
    inFlight.subtract(1, ordering: .sequentiallyConsistent)
  }

  /// Returns the refusal of a complete request that is shed because of the load.
  ///
  /// - Parameter idleSince: the end of the previous request on the same connection.
  func refusal(
    of target: String?, on socket: Int32, idleSince: MonotonicTime, _ periods: inout AdmissionControl.Periods
  ) -> Refusal? {
    let hasAbandoned = abandonedHandlers.load(ordering: .relaxed) > configuration.abandonedLimit
    let count = connections.load(ordering: .relaxed)
    let isShed =
      hasAbandoned
      || admission.shedsArrival(on: socket, idleSince: idleSince, &periods, among: count) {
        sockets.unreadCount
      }
      || admission.shedsSuspension(&periods) { suspendedRequests.delayedCount }
    return isShed && !isAlwaysServed(target) ? .overloaded : nil
  }

  private func isAlwaysServed(_ target: String?) -> Bool {
    guard let path = target?.prefix(while: { $0 != "?" }) else { return false }
    return configuration.alwaysServed.contains(String(path))
  }

  /// Counts a suspended request that is about to have its response.
  func suspensionEnded(_ response: PendingResponse) {
    guard let began = suspendedRequests.remove(response) else { return }
    let now = MonotonicTime.now
    admission.suspensionEnded(after: now.nanoseconds - began.nanoseconds, at: now) { suspendedRequests.delayedCount }
  }

  /// Abandons a suspended request whose connection has ended. The time until the disconnection is not the handler's
  /// delay, so admission control ignores it.
  func suspensionAbandoned(_ response: PendingResponse) {
    suspendedRequests.remove(response)
    response.abandon()
  }

  // MARK: - Shutdown

  var isDraining: Bool { draining.load(ordering: .sequentiallyConsistent) }

  /// Makes every later response the last one of its connection.
  func drain() {
    draining.store(true, ordering: .sequentiallyConsistent)
  }

  /// Whether no request is in flight, is unread in a socket, or is on a connection that no polling thread has taken
  /// over yet.
  var isIdle: Bool {
    inFlight.load(ordering: .sequentiallyConsistent) == 0
      && sockets.count == connections.load(ordering: .sequentiallyConsistent) && sockets.unreadCount == 0
  }

  /// Ends every streamed response. Returns false if there is none.
  func endStreams() -> Bool {
    let streams = sockets.streams
    for stream in streams { stream.end() }
    return !streams.isEmpty
  }

  /// Refuses every suspended request, now and from now on. Returns false if there is none.
  func refuseSuspendedRequests() -> Bool {
    let responses = suspendedRequests.close()
    for response in responses { response.replace(with: .draining, closing: true) }
    return !responses.isEmpty
  }
}
