internal import HTTPTransport

/// Reads the views of a session from its event stream.
enum EventReader {
  /// The service sends a comment every 15 seconds where there is no event.
  private static let timeouts = HTTPRequest.Timeouts(total: nil, idle: .seconds(60))

  /// The views of a session; a connection that is lost is made again, and nothing is missed.
  static func views(of session: UsherSession) -> AsyncThrowingStream<View, any Error> {
    AsyncThrowingStream(bufferingPolicy: .bufferingNewest(64)) { views in
      let task = Task {
        var known: Int64?
        do {
          while try await follow(session, after: &known, views) { try await Task.sleep(for: .seconds(1)) }
          views.finish()
        } catch UsherError.refused(let problem) where known != nil && (problem.status == 404 || problem.status == 410) {
          // It ended while nobody listened.
          views.finish()
        } catch {
          views.finish(throwing: error)
        }
      }
      views.onTermination = { _ in task.cancel() }
    }
  }

  /// One connection; false where the session has ended.
  private static func follow(
    _ session: UsherSession, after known: inout Int64?, _ views: AsyncThrowingStream<View, any Error>.Continuation
  ) async throws -> Bool {
    var headers = ["Accept": "text/event-stream"]
    if let known { headers["Last-Event-ID"] = "\(known)" }
    var request = try session.service.request("GET", await session.view.links.events, nil, headers)
    request.timeouts = timeouts
    do {
      let response = try await session.service.transport.open(request)
      switch response.head.status {
      case 200: break
      case 204: return false
      case let status:
        try session.service.refuseRedirect(response.head)
        // The refusal says why, if the session is gone.
        if 400..<500 ~= status, status != 429 { try await session.refresh() }
        return true
      }
      guard response.head["Content-Type"]?.hasPrefix("text/event-stream") == true else {
        throw UsherError.unreadable("The events of the session are not an event stream.")
      }
      var parser = EventParser()
      for try await bytes in response {
        for event in try parser.events(in: bytes) {
          if event.name == "end" { return false }
          let view = try UsherService.view(try UsherService.json(Array(event.data.utf8)))
          known = view.session.revision
          await session.take(view, isCertain: event.name == "resync")
          views.yield(view)
        }
      }
    } catch let error as TransportError {
      guard error.isTransient else { throw UsherError(error) }
    }
    return true
  }
}
