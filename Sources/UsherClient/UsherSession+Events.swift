internal import HTTPTransport

/// The subscription to the session's event stream.
extension UsherSession {
  /// The service sends a comment every 15 seconds, so that a minute without a byte means a lost connection.
  private static let eventTimeouts = HTTPRequest.Timeouts(total: nil, idle: .seconds(60))

  /// Returns the current view, and the view at each later revision, until the session ends.
  ///
  /// The stream reconnects after a lost connection, and resumes after the last event. It keeps the newest 64 views for a
  /// slow reader, and drops older ones.
  ///
  /// - Throws: a ``UsherError`` if the session cannot be followed.
  public nonisolated func follow() -> AsyncThrowingStream<SessionView, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(64)) { views in
      let task = Task {
        var lastRevision: Int64?
        do {
          while try await receive(after: &lastRevision, views) {
            try await Task.sleep(for: .seconds(1))
          }
          views.finish()
        } catch UsherError.refused(let problem)
          where lastRevision != nil && (problem.status == 404 || problem.status == 410)
        {
          // The session ended between two connections.
          views.finish()
        } catch {
          views.finish(throwing: error)
        }
      }
      views.onTermination = { _ in task.cancel() }
    }
  }

  /// Receives events over one connection. Returns false once the session has ended, and true to reconnect.
  private func receive(
    after lastRevision: inout Int64?, _ views: AsyncThrowingStream<SessionView, any Error>.Continuation
  ) async throws -> Bool {
    var headers = ["Accept": "text/event-stream"]
    if let lastRevision { headers["Last-Event-ID"] = "\(lastRevision)" }
    var request = try service.request("GET", view.links.events, nil, headers)
    request.timeouts = Self.eventTimeouts
    do {
      let response = try await service.transport.open(request)
      switch response.head.status {
      case 200: break
      case 204: return false
      case let status:
        try service.refuseRedirect(response.head)
        // If the session is gone, the problem of a refresh gives the reason.
        if 400..<500 ~= status, status != 429 { try await refresh() }
        return true
      }
      guard response.head["Content-Type"]?.hasPrefix("text/event-stream") == true else {
        throw UsherError.unreadable("The response to the request for the session's events is not an event stream.")
      }
      var parser = EventParser()
      for try await bytes in response {
        for event in try parser.events(in: bytes) {
          if event.name == "end" { return false }
          let view = try UsherService.view(try UsherService.json(Array(event.data.utf8)))
          lastRevision = view.session.revision
          update(view, isCurrent: event.name == "resync")
          views.yield(view)
        }
      }
    } catch let error as TransportError {
      guard error.isTransient else { throw UsherError(error) }
    }
    return true
  }
}

/// An incremental parser of server-sent events (HTML Standard, section 9.2.6). Lines end with LF or CRLF: no known
/// server uses CR alone.
struct EventParser {
  struct Event: Equatable {
    let name: String
    let data: String
  }

  /// The maximum size of an incomplete event in bytes.
  private let limit: Int
  private var line: [UInt8] = []
  private var size = 0
  private var name = ""
  /// The lines of the event's data.
  private var data: [String] = []

  init(limit: Int = 16 << 20) { self.limit = limit }

  /// Returns the events that these bytes complete.
  mutating func events(in bytes: [UInt8]) throws(UsherError) -> [Event] {
    var events: [Event] = []
    for (index, piece) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      if index > 0, let event = endLine() { events.append(event) }
      line += piece
    }
    guard size + line.count <= limit else {
      throw .unreadable("An event of the service is larger than \(limit) bytes.")
    }
    return events
  }

  /// Returns the event that the line ends, if any.
  private mutating func endLine() -> Event? {
    defer { line = [] }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    guard !line.isEmpty else {
      defer { (name, data, size) = ("", [], 0) }
      return data.isEmpty ? nil : Event(name: name, data: data.joined(separator: "\n"))
    }
    size += line.count
    let text = String(decoding: line, as: UTF8.self)
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count < 2 ? "" : String(parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1])
    switch parts[0] {
    case "event": name = value
    case "data": data.append(value)
    default: break
    }
    return nil
  }
}
