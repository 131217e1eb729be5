import Synchronization

/// What the library says, a few sentences a second: any client can make it say the same thing again and again.
final class LibraryLog: Sendable {
  private static let mostPerSecond = 5

  private struct State {
    var second: Int64 = 0
    var count = 0
    var omitted = 0
  }

  private let state = Mutex(State())
  private let log: @Sendable (String) -> Void

  init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }

  /// That a client has left, or was cut off, is nothing to be told; and a sentence may have the target in it, which may be a secret.
  private static let leaving = [
    "Failed to send ", "Closing connection (application error generating response)",
    "Connection was closed by remote side", "Socket has been disconnected when reading request",
    "Connection socket is closed when reading request",
  ]

  func write(_ sentence: String) {
    guard !Self.leaving.contains(where: { sentence.hasPrefix($0) }) else { return }
    let second = MonotonicTime.now.nanoseconds / 1_000_000_000
    let omitted: Int? = state.withLock { state in
      if state.second != second { (state.second, state.count) = (second, 0) }
      state.count += 1
      guard state.count <= Self.mostPerSecond else {
        state.omitted += 1
        return nil
      }
      defer { state.omitted = 0 }
      return state.omitted
    }
    guard let omitted else { return }
    log(omitted == 0 ? sentence : "\(sentence) (\(omitted) more like it were left out before)")
  }
}
