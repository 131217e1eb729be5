internal import HeapModule
internal import Navigation
internal import Synchronization
internal import Values

/// The runs of public effects in progress, and their outputs, which sessions share.
final class SharedOutcomes: Sendable {
  typealias Outcome = Result<Value, AttemptFailure>

  /// Identifies the effects that are the same.
  struct Key: Hashable {
    let app: String
    /// The definition of the app; nil for an app in Swift.
    var definition: DefinitionDigest?
    let effect: String
    let version: Int
    /// The encoded effect.
    let input: Value

    /// In bytes.
    fileprivate var size: Int { app.utf8.count + effect.utf8.count + input.size }
  }

  /// The maximum size of the outputs and their effects, in bytes.
  static let sizeLimit = 64 << 20
  /// The memory of an output besides the bytes of its effect and value, in bytes: its slots in the table and in the
  /// heap, and the headers of its parts.
  static let overhead = 512

  private struct Output {
    let value: Value
    let expiresAt: ContinuousClock.Instant

    /// The size with the key, in bytes.
    func size(of key: Key) -> Int { SharedOutcomes.overhead + key.size + value.size }
  }

  private struct Expiry: Comparable {
    let expiresAt: ContinuousClock.Instant
    let key: Key

    static func == (a: Expiry, b: Expiry) -> Bool { a.expiresAt == b.expiresAt }
    static func < (a: Expiry, b: Expiry) -> Bool { a.expiresAt < b.expiresAt }
  }

  private struct State {
    var outputs: [Key: Output] = [:]
    /// The keys of `outputs`, by their expiry.
    var expiries = Heap<Expiry>()
    /// The size of `outputs`, in bytes.
    var size = 0
    /// The effects that wait for the run of an equal one. Each effect is in progress, so their number has a limit.
    var waiting: [Key: [CheckedContinuation<Outcome?, Never>]] = [:]

    /// Adds an output, and removes those that have expired, and if need be those that expire next.
    mutating func add(_ output: Output, of key: Key) {
      removeExpired()
      let added = output.size(of: key)
      // An effect runs only if it has no output.
      guard added <= sizeLimit, outputs[key] == nil else { return }
      while size + added > sizeLimit, removeNext() {}
      outputs[key] = output
      expiries.insert(Expiry(expiresAt: output.expiresAt, key: key))
      size += added
    }

    mutating func removeExpired() {
      let now = ContinuousClock.now
      while let next = expiries.min, next.expiresAt <= now { _ = removeNext() }
    }

    /// Removes the output that expires next. Returns false if there is none.
    private mutating func removeNext() -> Bool {
      guard let next = expiries.popMin(), let removed = outputs.removeValue(forKey: next.key) else { return false }
      size -= removed.size(of: next.key)
      return true
    }
  }

  private let state = Mutex(State())

  /// The size of the outputs and their effects, in bytes.
  var size: Int { state.withLock { $0.size } }

  /// Removes the outputs that serve no effect any more: an effect may have been made from what somebody has entered.
  func removeExpired() { state.withLock { $0.removeExpired() } }

  /// The number of effects that wait for the run of an equal one.
  var waitingCount: Int { state.withLock { $0.waiting.values.reduce(0) { $0 + $1.count } } }

  /// Returns the outcome of an equal effect, or that of `run`.
  ///
  /// - Parameter maximumAge: the age up to which an output serves other effects.
  func outcome(
    of key: Key, maximumAge: Duration, _ run: () async -> Outcome
  ) async -> (outcome: Outcome, isShared: Bool) {
    if let known = await known(key) { return (known, true) }
    let outcome = await run()
    finish(key, outcome, maximumAge)
    return (outcome, false)
  }

  /// Returns the outcome of an equal effect, once it is there; nil if the caller has to run the effect.
  private func known(_ key: Key) async -> Outcome? {
    await withCheckedContinuation { continuation in
      let known: Outcome?? = state.withLock { state in
        if let output = state.outputs[key], output.expiresAt > .now { return .success(output.value) }
        guard state.waiting[key] == nil else {
          state.waiting[key]?.append(continuation)
          return nil
        }
        state.waiting[key] = []
        return .some(nil)
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  private func finish(_ key: Key, _ outcome: Outcome, _ maximumAge: Duration) {
    let waiting = state.withLock { state in
      if case .success(let value) = outcome {
        state.add(Output(value: value, expiresAt: .now + maximumAge), of: key)
      }
      return state.waiting.removeValue(forKey: key) ?? []
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }
}
