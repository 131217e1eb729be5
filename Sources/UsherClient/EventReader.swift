internal import Foundation
internal import Values

#if canImport(FoundationNetworking)
  internal import FoundationNetworking
#endif

/// Reads the events of one connection (HTML, section 9.2.6), as far as this service sends them.
///
/// Unchecked, because its session calls it from one queue, and what it leaves behind is read when that is done with it.
final class EventReader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let continuation: AsyncStream<(name: String, data: String)>.Continuation
  private var rest: [UInt8] = []
  /// Read once the events are over.
  private(set) var status = 0

  private init(_ continuation: AsyncStream<(name: String, data: String)>.Continuation) {
    self.continuation = continuation
  }

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
    request.timeoutInterval = 60
    let (events, continuation) = AsyncStream.makeStream(of: (name: String, data: String).self)
    let reader = EventReader(continuation)
    let connection = URLSession(
      configuration: session.service.urlSession.configuration, delegate: reader, delegateQueue: nil)
    connection.dataTask(with: request).resume()
    defer { connection.invalidateAndCancel() }
    for await event in events {
      if event.name == "end" { return false }
      let view = try UsherService.view(try UsherService.json(Data(event.data.utf8)))
      known = view.session.revision
      await session.take(view, isCertain: event.name == "resync")
      views.yield(view)
    }
    try Task.checkCancellation()
    guard reader.status != 204 else { return false }
    // Which says why, if it is for good.
    if 400..<500 ~= reader.status, reader.status != 429 { try await session.refresh() }
    return true
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    status = (response as? HTTPURLResponse)?.statusCode ?? 0
    completionHandler(status == 200 ? .allow : .cancel)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    rest += data
    while let end = rest.firstRange(of: Array("\n\n".utf8)) {
      let lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self).split(separator: "\n")
      rest.removeSubrange(..<end.upperBound)
      func field(_ name: String) -> String? {
        lines.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
      }
      if let name = field("event"), let data = field("data") { continuation.yield((name, data)) }
    }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    continuation.finish()
  }
}
