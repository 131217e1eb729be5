internal import Cryptography
internal import Navigation
internal import Synchronization
internal import Values

/// Resume addresses: hand-over codes that effects pass on, such as in a mail, and that are valid as long as the session
/// unless the app says otherwise.
///
/// The secret of the store makes a code, so that every attempt at an effect has the same one and no store keeps it. The
/// device of a client has the ID of its session, and an effect has not. The session of an app with resume addresses
/// therefore keeps its ID, sealed under the secret of the store.
extension SessionService {
  /// Returns the URL that continues a session, for an effect.
  ///
  /// - Parameters:
  ///   - id: the id of the effect.
  ///   - seed: the seed of the step that requested it.
  ///   - origin: the URL of the service without a path; nil if it is not known.
  /// - Throws: `Retry` if the session cannot be read now, and `EffectFailure` if it has no resume address.
  func resumeAddress(
    _ terms: ResumeTerms, for id: WorkID, _ seed: UInt64, of key: SessionKey, at origin: String?
  ) async throws -> String {
    guard let origin else {
      throw EffectFailure(
        .error, detail: "Users do not know the address of the service. Set it with --public-url.",
        mayHaveHappened: false)
    }
    do throws(SessionError) {
      let secret = try await secret()
      let code = HandOverCode(for: key, secret: .resuming(key, id, seed, terms, under: secret))
      while true {
        let session = try await load(key)
        guard let sealed = session.writeAccess.sealedID?.open(with: Self.sealingText(secret), of: key) else { break }
        let expiresAt = terms.validity.map { clock.now() + $0 } ?? Timestamp(milliseconds: .max)
        let offer = WriteAccess.SealedOffer(
          code: code.digest, sealedID: SealedSessionID(sealed, under: code.text), expiresAt: expiresAt)
        let access = session.writeAccess.offering(offer, isRepeatable: terms.isRepeatable)
        let isStored =
          if let access { try await replace(session, with: session.with(access)) } else { true }
        if isStored { return origin + code.path }
      }
    } catch {
      switch error {
      case .unknownSession, .expired:
        throw EffectFailure(.error, detail: "The session has ended.", mayHaveHappened: false)
      default: throw Retry(error.operatorDescription, mayHaveHappened: false)
      }
    }
    throw EffectFailure(
      .error, detail: "The session began with a version of the app that gave no resume addresses.",
      mayHaveHappened: false)
  }

  /// Returns the write access of a new session.
  func firstAccess(_ id: SessionID, in app: AppDefinition) async throws(SessionError) -> WriteAccess {
    guard app.givesResumeAddresses else { return .everyone }
    return .everyone(sealing: SealedSessionID(id, under: Self.sealingText(try await secret())))
  }

  /// The text under which sessions seal their IDs.
  private static func sealingText(_ secret: [UInt8]) -> String {
    Base64URL.encode(HMAC.code(of: Array("usher resumed session".utf8), key: secret))
  }
}

extension RandomBits {
  /// Returns the secret of a code that an effect passes on.
  fileprivate static func resuming(
    _ key: SessionKey, _ id: WorkID, _ seed: UInt64, _ terms: ResumeTerms, under secret: [UInt8]
  ) -> RandomBits {
    let facts = "usher resume \(id) \(seed) \(terms.validity?.components.seconds ?? 0) \(terms.isRepeatable)"
    return RandomBits(HMAC.code(of: Array(facts.utf8) + key.bytes, key: secret)[..<16])
  }
}

/// The resume addresses that one attempt at an effect has made. No client may learn them from the outcome.
final class IssuedAddresses: Sendable {
  private let secrets = Mutex<[String]>([])

  /// Keeps an address, and returns it.
  func keep(_ address: String) -> String {
    secrets.withLock { $0.append(String(address.suffix(RandomBits.characterCount))) }
    return address
  }

  /// Returns the outcome, or a failure in place of one that contains an address.
  func confined(_ outcome: Result<Value, AttemptFailure>) -> Result<Value, AttemptFailure> {
    let secrets = secrets.withLock(\.self)
    if secrets.isEmpty { return outcome }
    let values: [Value] =
      switch outcome {
      case .success(let output): [output]
      case .failure(let failure): [Value(failure.outcome.detail), failure.outcome.body ?? .null]
      }
    guard values.contains(where: { value in secrets.contains { value.contains($0) } }) else { return outcome }
    guard case .failure(let known) = outcome else {
      let detail = "The output contains a resume address, which no client may learn."
      return .failure(AttemptFailure(EffectFailure(.error, detail: detail)))
    }
    let failure = EffectFailure(
      known.outcome.reason, detail: "The description of the failure contains a resume address.",
      mayHaveHappened: known.outcome.mayHaveHappened, status: known.outcome.status)
    return .failure(AttemptFailure(outcome: failure, isFinal: known.isFinal, pause: known.pause))
  }
}
