internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// `GET /v1/sessions/{id}/events`: server-sent events (HTML, section 9.2).
extension Operations {
  static let events = Route.later { call in
    let id = try call.sessionID()
    let stream = ViewEventStream(id: id, try call.api.streamLimiter.take(LimitedClient(of: call)))
    let isSubscribed = try await call.api.sessions.subscribe(
      stream, to: id, by: call.owner, after: known(call.request))
    // A response with 204 tells an `EventSource` not to reconnect.
    guard isSubscribed else { return Response(status: 204) }
    return Response(
      status: 200,
      headers: [
        ("Content-Type", "text/event-stream"),
        // nginx would buffer the events.
        ("X-Accel-Buffering", "no"),
      ], stream: stream.response)
  }

  /// Returns the last revision that the client has received. A malformed id becomes a revision that no session reaches,
  /// which causes a `resync`.
  private static func known(_ request: Request) -> UInt64? {
    guard let id = request.header("Last-Event-ID"), !id.isEmpty else { return nil }
    return UInt64(id) ?? .max
  }
}

/// An event stream of one client.
private final class ViewEventStream: EventSubscriber {
  let response: ResponseStream
  private let id: SessionID

  init(id: SessionID, _ slot: StreamLimiter.Slot) {
    self.id = id
    response = ResponseStream { slot.release() }
  }

  func receive(backlog events: [SessionEvent]) -> Bool {
    let bytes = events.flatMap { $0.encoded(for: id, \.serverSentEvent) }
    return bytes.count <= ResponseStream.standardCapacity / 2 && response.write(bytes)
  }

  func receive(_ event: SessionEvent) -> Bool { response.write(event.encoded(for: id, \.serverSentEvent)) }

  func receiveKeepAlive() -> Bool { response.write(Array(":\n\n".utf8)) }

  func finish() { response.end() }
}

extension SessionEvent.Kind {
  /// The bytes of the event: its name, the revision as its id, and the view. The view is one line, because the writer
  /// puts no line breaks into JSON.
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
