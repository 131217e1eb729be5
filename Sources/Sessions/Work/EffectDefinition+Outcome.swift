internal import Navigation
internal import Values

extension EffectDefinition {
  /// The maximum size in bytes of the output of an effect, which the history of its session keeps.
  private static let outputLimit = 256 << 10

  /// Runs an attempt within its timeout.
  func outcome(of input: Value, _ attempt: EffectAttempt) async -> Result<Value, AttemptFailure> {
    await withTaskGroup(of: Result<Value, AttemptFailure>?.self) { group in
      group.addTask { [self] in
        do {
          let output = try await run(input, attempt)
          guard output.bytes.count <= Self.outputLimit else {
            throw EffectFailure(.decoding, detail: "The output has more than \(Self.outputLimit) bytes.")
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

extension PendingEffect {
  /// The idempotency key: a digest of the session and of the author's key or, without one, of the id and the seed.
  func idempotencyKey(of id: WorkID, in session: SessionKey, _ name: String) -> String {
    let parts = [Array("usher effect".utf8), session.bytes, Array(name.utf8)]
    let own = key.map { [Array("key".utf8), Array($0.utf8)] } ?? [Array("id \(id) \(seed)".utf8)]
    return Base64URL.encode(Digest256(ofParts: parts + own).bytes)
  }
}
