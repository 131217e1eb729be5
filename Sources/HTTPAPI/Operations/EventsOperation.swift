internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `GET /v1/sessions/{id}/events`: server-sent events (HTML, section 9.2).
extension Operations {
  static let events: Route.Operation = { call in
    let id = try call.sessionID()
    let address = call.api.trustedProxies.client(of: call.request)
    let client = call.principal.map { LimitedClient($0, at: address) } ?? LimitedClient(address)
    let listener = EventListener(id: id, try call.api.streamLimiter.take(client))
    let isFollowed = try await call.api.sessions.follow(id, by: call.owner, after: known(call.request), listener)
    // 204 tells an `EventSource` not to reconnect.
    guard isFollowed else { return Response(status: 204) }
    return Response(
      status: 200,
      headers: [
        ("Content-Type", "text/event-stream"),
        // nginx would buffer the events.
        ("X-Accel-Buffering", "no"),
      ], stream: listener.stream)
  }

  /// Returns the last revision that the client has received. A malformed id becomes a revision that no session reaches, which causes a
  /// `resync`.
  private static func known(_ request: Request) -> UInt64? {
    guard let id = request.header("Last-Event-ID"), !id.isEmpty else { return nil }
    return UInt64(id) ?? .max
  }
}

private final class EventListener: SessionListener {
  let stream: ResponseStream
  private let id: SessionID

  init(id: SessionID, _ place: StreamLimiter.Place) {
    self.id = id
    stream = ResponseStream { place.release() }
  }

  func catchUp(_ events: [SessionEvent]) -> Bool {
    let bytes = events.flatMap { $0.encoded(for: id, \.serverSentEvent) }
    return bytes.count <= ResponseStream.standardCapacity / 2 && stream.write(bytes)
  }

  func hear(_ event: SessionEvent) -> Bool { stream.write(event.encoded(for: id, \.serverSentEvent)) }

  func beat() -> Bool { stream.write(Array(":\n\n".utf8)) }

  func end() { stream.end() }
}

extension SessionEvent.Kind {
  /// The event as it is sent: its name, the revision as its id, and the view, which is one line because JSON has no line ends.
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
