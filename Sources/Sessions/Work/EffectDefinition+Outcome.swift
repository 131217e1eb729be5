internal import Navigation
internal import Observability
internal import Values

extension EffectDefinition {
  /// The maximum size in bytes of the output of an effect, which the history of its session keeps.
  private static let outputLimit = 512 << 10

  /// Runs an attempt within its timeout, and records its duration.
  func outcome(
    of input: Value, _ attempt: EffectAttempt, _ meter: WorkMetrics.EffectMeter?
  ) async -> Result<Value, AttemptFailure> {
    let start = ContinuousClock.now
    defer { meter?.duration.record(since: start) }
    return await withTaskGroup(of: Result<Value, AttemptFailure>?.self) { group in
      group.addTask { [self] in
        do {
          let output = try await run(input, attempt)
          guard output.bytes.count <= Self.outputLimit else {
            throw EffectFailure(.decoding, detail: "The output has more than \(Self.outputLimit) bytes.")
          }
          // The screen or the history that keeps the output is a level around it.
          guard output.depth < Value.maximumDepth else {
            throw EffectFailure(.decoding, detail: "The output has \(Value.maximumDepth) levels or more.")
          }
          return .success(output)
        } catch {
          return .failure(AttemptFailure(error))
        }
      }
      group.addTask { [policy] in (try? await Task.sleep(for: policy.timeout)) == nil ? nil : .failure(.timeout) }
      defer { group.cancelAll() }
      for await result in group { if let result { return result } }
      return .failure(.timeout)
    }
  }
}

extension SharedOutcomes.Key {
  /// Returns the idempotency key of a run: a digest of the effect, and of the session's own key, so that a backend does
  /// not repeat the answer to an earlier run.
  func idempotencyKey(_ own: String) -> String {
    let parts = ["usher public effect", app, effect, "\(version)", own].map { Array($0.utf8) }
    return Base64URL.encode(Digest256(ofParts: parts + [Array(input.bytes)]).bytes)
  }
}

extension SessionKey {
  /// Returns the idempotency key of an effect: a digest of the session and of the effect's key or, without one, of the
  /// id and the seed.
  func idempotencyKey(of name: String, _ key: WorkKey?, _ id: WorkID, _ seed: UInt64) -> String {
    let parts = [Array("usher effect".utf8), bytes, Array(name.utf8)]
    let own: [String] =
      switch key {
      case .given(let key): ["key", key]
      case .answers(let revision): ["answers", "\(revision)"]
      case .verification(let revision): ["verification", "\(revision)"]
      case nil: ["id \(id) \(seed)"]
      }
    return Base64URL.encode(Digest256(ofParts: parts + own.map { Array($0.utf8) }).bytes)
  }
}
