internal import Navigation
public import Values

/// Identifies the work that waits for a signal of an app under an author's key: a SHA-256 digest of the three. A store
/// keeps no key in readable form outside of its sessions.
public struct SignalKey: DigestIdentity {
  public let digest: Digest256

  public init(_ digest: Digest256) { self.digest = digest }

  init(_ key: String, of signal: String, in app: String) {
    digest = Digest256(ofParts: [Array("usher signal key".utf8), Array(app.utf8), Array(signal.utf8), Array(key.utf8)])
  }
}

/// A signal for all work that waits under a key.
public struct KeyedSignal: Sendable {
  public let key: SignalKey
  public let signal: QueuedSignal
  /// The time for which the signal also reaches work that begins to wait; nil if it does not.
  public let hold: Duration?

  /// The maximum number of sessions that one signal reaches.
  public static let receiverLimit = 1000
  /// The time for which a store recognises a repetition: the longest time for which a signal can be held.
  public static let memory = Duration.seconds(24 * 3600)
  /// The maximum number of signals that a store holds.
  public static let holdLimit = 10_000
  /// The size of held signals, in bytes, above which a store holds no further one. Under one key the limit is
  /// ``QueuedSignal/sizeLimit``, because work that begins to wait receives all of them.
  public static let holdSizeLimit = 64 << 20
}

/// The result of delivering a signal under a key.
public enum KeyedDelivery: Sendable, Equatable {
  /// The number of sessions whose work has received the signal.
  case delivered(Int)
  /// The signal was received before, by so many sessions.
  case repeated(Int)
  /// More work than ``KeyedSignal/receiverLimit`` waits under the key. The signal has no receiver.
  case tooMany
  /// A receiver has too many waiting signals, or the store too many held ones. The signal has no receiver.
  case full
}
