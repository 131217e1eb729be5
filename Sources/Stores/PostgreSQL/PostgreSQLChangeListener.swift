internal import Foundation
internal import Glibc
internal import Sessions
internal import Synchronization
internal import Values

/// A listener for the changes that other processes announce with NOTIFY. Its own connection opens with the first watch.
///
/// Notifications are best effort: a pooler in transaction mode lets none through, and a lost connection misses some.
/// The service therefore also polls the store.
final class PostgreSQLChangeListener: Sendable {
  private static let timeout = Duration.seconds(10)

  let changes: AsyncStream<SessionChange>
  private let continuation: AsyncStream<SessionChange>.Continuation
  private let location: String
  private let state = Mutex(State.idle)
  private let thread = DispatchGroup()

  private enum State { case idle, listening, closed }

  init(_ location: String) {
    self.location = location
    (changes, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100_000))
  }

  /// Starts to listen. Further calls have no effect.
  func start() {
    state.withLock { state in
      guard state == .idle else { return }
      state = .listening
      thread.startThread("usher.changes") { [self] in
        while isListening {
          listen()
          if isListening { usleep(500_000) }
        }
      }
    }
  }

  /// Stops listening, and blocks until the thread has ended.
  func stop() {
    state.withLock { $0 = .closed }
    thread.wait()
    continuation.finish()
  }

  private var isListening: Bool { state.withLock { $0 == .listening } }

  /// Listens until the connection is lost. The pool's connections report an unreachable database to the operator.
  private func listen() {
    guard let connection = try? PostgreSQLConnection(location, deadline: .now + Self.timeout),
      (try? connection.run("LISTEN usher", deadline: .now + Self.timeout)) != nil
    else { return }
    while isListening, let payloads = connection.notifications(within: .milliseconds(500)) {
      for change in payloads.compactMap(SessionChange.init(payload:)) { continuation.yield(change) }
    }
  }
}

extension SessionChange {
  /// Parses the payload of a notification: the session's key in hexadecimal digits and its new version, which is 0 for
  /// an ended session.
  fileprivate init?(payload: String) {
    let parts = payload.split(separator: " ")
    guard parts.count == 2, let key = SessionKey(hexadecimal: String(parts[0])), let version = Int64(parts[1]) else {
      return nil
    }
    self.init(key: key, version: version == 0 ? nil : SessionVersion(rawValue: version))
  }
}
