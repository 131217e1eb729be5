internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `GET /v1/sessions/{id}/events`: server-sent events (HTML, section 9.2).
extension Operations {
  static let events: Operation = { (call: borrowing Call) async throws(Problem) in
    try MediaType.requireAcceptable(call.request.header("Accept"), "text/event-stream")
    _ = try call.query()
    let id = try call.sessionID()
    let client = LimitedClient(call.principal, at: call.api.trustedProxies.client(of: call.request))
    let listener = EventListener(id: id, try call.api.streamLimiter.take(client))
    do throws(SessionError) {
      let isFollowed = try await call.api.sessions.subscribe(
        listener, to: id, by: call.owner, after: known(call.request))
      // Which tells an `EventSource` not to come again.
      guard isFollowed else { return Response(status: 204) }
    } catch {
      throw Problem(error)
    }
    return Response(
      status: 200,
      headers: [
        ("Content-Type", "text/event-stream"),
        // nginx would keep the events until there are enough of them.
        ("X-Accel-Buffering", "no"),
      ], stream: listener.stream)
  }

  /// The revision that the client had got to. What is no revision is a later one than there can be, which is answered with `resync`.
  private static func known(_ request: Request) -> UInt64? {
    guard let id = request.header("Last-Event-ID"), !id.isEmpty else { return nil }
    return UInt64(id) ?? .max
  }
}

private final class EventListener: EventSubscriber {
  let stream: ResponseStream
  private let id: SessionID

  init(id: SessionID, _ place: StreamLimiter.Place) {
    self.id = id
    stream = ResponseStream { place.release() }
  }

  func receive(backlog events: [SessionEvent]) -> Bool {
    let bytes = events.flatMap { $0.encoded(for: id, \.serverSentEvent) }
    return bytes.count <= ResponseStream.standardCapacity / 2 && stream.write(bytes)
  }

  func receive(_ event: SessionEvent) -> Bool { stream.write(event.encoded(for: id, \.serverSentEvent)) }

  func receiveKeepAlive() -> Bool { stream.write(Array(":\n\n".utf8)) }

  func finish() { stream.end() }
}

extension SessionEvent.Kind {
  /// The event as it is sent: its name, the revision as its id, and the view on one line, because JSON has no line ends.
  fileprivate var serverSentEvent: [UInt8] {
    switch self {
    case .view(let snapshot): Self.event("view", snapshot)
    case .resync(let snapshot): Self.event("resync", snapshot)
    case .end(let reason): Array("event: end\ndata: {\"reason\":\"\(reason.rawValue)\"}\n\n".utf8)
    }
  }

  private static func event(_ name: StaticString, _ snapshot: Snapshot) -> [UInt8] {
    Array("event: \(name)\nid: \(snapshot.session.revision)\ndata: ".utf8) + snapshot.json.finish() + Array("\n\n".utf8)
  }
}
