internal import CPostgreSQL
internal import Foundation
internal import Sessions
internal import Synchronization

/// What other processes say that they have changed (PostgreSQL manual, LISTEN and NOTIFY): one connection of its own, from when the
/// first session is watched.
///
/// A pooler that lends servers for a transaction only lets nothing through, and a connection may be lost; so whoever watches looks
/// for itself now and then.
final class PostgreSQLChanges: Sendable {
  private static let patience = Duration.seconds(10)

  let stream: AsyncStream<SessionChange>
  private let continuation: AsyncStream<SessionChange>.Continuation
  private let location: String
  private let state = Mutex(State.idle)
  private let stopped = DispatchGroup()

  private enum State { case idle, listening, closed }

  init(_ location: String) {
    self.location = location
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(100_000))
  }

  /// Begins to listen, once.
  func start() {
    let isFirst = state.withLock { state in
      guard state == .idle else { return false }
      state = .listening
      stopped.enter()
      return true
    }
    guard isFirst else { return }
    Thread.start("usher.changes") { [self] in
      while isListening {
        listen()
        if isListening { usleep(500_000) }
      }
      stopped.leave()
    }
  }

  /// Blocks until nothing is heard any more.
  func stop() {
    state.withLock { $0 = .closed }
    stopped.wait()
    continuation.finish()
  }

  private var isListening: Bool { state.withLock { $0 == .listening } }

  /// Until the connection is lost, which the requests' own connections tell the operator about.
  private func listen() {
    guard let connection = try? PostgreSQLConnection(location, deadline: .now + Self.patience),
      (try? connection.runScript("LISTEN usher", deadline: .now + Self.patience)) != nil
    else { return }
    while isListening, let payloads = connection.notifications(within: .milliseconds(500)) {
      for change in payloads.compactMap(SessionChange.init(payload:)) { continuation.yield(change) }
    }
  }
}

extension SessionChange {
  /// What the statements of this service send: the key in hexadecimal digits, and the version that was written; 0 where the session
  /// was ended.
  fileprivate init?(payload: String) {
    let parts = payload.split(separator: " ")
    guard parts.count == 2, let key = SessionKey(digits: String(parts[0])), let version = Int64(parts[1]) else {
      return nil
    }
    self.init(key: key, version: version == 0 ? nil : SessionVersion(rawValue: version))
  }
}
