package import Languages
public import Navigation
public import Values

/// A hand-over code: the key of the session and a secret of 128 random bits, as 66 characters of base64url (RFC 4648,
/// section 5).
///
/// A code gives access to the session only while the offer lasts. The session's ID cannot be derived from it.
public struct HandOverCode: Sendable {
  let key: SessionKey
  private let secret: RandomBits

  /// Creates a code with a random secret.
  init(for key: SessionKey, secret: RandomBits = .random()) {
    self.key = key
    self.secret = secret
  }

  /// The path of the page and the resource of the code.
  package var path: String { "/v1/hand-overs/\(text)" }

  /// Parses a code. Returns nil if the text does not have the form of a code.
  public init?(_ text: String) {
    let characters = text.utf8Span.span
    let count = RandomBits.characterCount
    guard characters.count == 3 * count else { return nil }
    for part in 0..<3 { guard RandomBits.isEncoded(characters, from: part * count) else { return nil } }
    guard
      let key = SessionKey(bytes: [0, 1].flatMap { RandomBits(characters, from: $0 * count).bytes })
    else { return nil }
    self.key = key
    secret = RandomBits(characters, from: 2 * count)
  }

  /// The code as 66 characters.
  public var text: String {
    let key = key.bytes
    return RandomBits(key[..<16]).text + RandomBits(key[16...]).text + secret.text
  }

  /// The digest of the secret, the form that stores keep.
  var digest: Digest256 { Digest256(ofParts: [Array("usher hand-over".utf8), secret.bytes]) }

  /// Derives the secret of the device that takes the offer. A retry with the same key yields the same secret.
  func secret(retriedBy key: String) -> RandomBits {
    RandomBits(
      Digest256(ofParts: [Array("usher device".utf8), secret.bytes, Array(key.utf8)]).bytes[..<16])
  }
}

/// An offer to hand a session over.
public struct HandOverOffer: Sendable {
  /// The code, with which one device may take the session over.
  public let code: HandOverCode
  public let expiresAt: Timestamp
  /// The session's app, with its texts in the language of the session.
  public let app: AppDefinition
  /// The language of the service's own texts.
  package let language: ServiceLanguage

  init(_ code: HandOverCode, until expiresAt: Timestamp, of session: StoredSession, _ app: AppDefinition) {
    (self.code, self.expiresAt) = (code, expiresAt)
    self.app = app.localized(for: session.locale)
    language = app.serviceLanguage(for: session.locale)
  }
}

/// Hand-over: a session moves to another device by a code that is valid once and for a limited time.
///
/// The device that takes the session over gets an ID of its own and may act. All other devices may only read.
extension SessionService {
  /// Offers a session to another device. A new offer replaces the previous one.
  public func offer(
    _ id: SessionID, by owner: SessionOwner? = nil, at revision: UInt64? = nil
  ) async throws(SessionError) -> HandOverOffer {
    let code = HandOverCode(for: SessionKey(id))
    while true {
      let session = try await load(id, by: owner)
      let snapshot = try snapshot(id, of: session)
      guard !snapshot.isReadOnly else { throw .readOnly(snapshot) }
      guard !snapshot.isFinished else { throw .rejected(.finished, snapshot) }
      guard revision == nil || revision == session.revision else { throw .stale(snapshot) }
      let now = clock.now()
      let expiresAt = snapshot.expiryWithoutRevision(at: now)
      let offer = WriteAccess.SealedOffer(
        code: code.digest, sealedID: SealedSessionID(id, under: code.text),
        expiresAt: min(now + settings.offerLifetime, expiresAt))
      if try await replace(session, with: session.offering(offer, expiresAt: expiresAt)) {
        return HandOverOffer(code, until: offer.expiresAt, of: session, snapshot.navigation.app)
      }
    }
  }

  /// Returns the offer under a code.
  public func offer(under code: HandOverCode, by owner: SessionOwner? = nil) async throws(SessionError) -> HandOverOffer
  {
    try offer(code, of: try await offered(code, by: owner))
  }

  /// Returns the offer of a session under a code, for the device that made the offer.
  ///
  /// - Parameter code: nil if the client sent a malformed code.
  public func offer(
    _ code: HandOverCode?, of id: SessionID, by owner: SessionOwner? = nil
  ) async throws(SessionError) -> HandOverOffer {
    let session = try await load(id, by: owner)
    guard let code else { throw .unknownOffer }
    return try offer(code, of: session)
  }

  private func offer(_ code: HandOverCode, of session: StoredSession) throws(SessionError) -> HandOverOffer {
    let (offer, navigation) = try openOffer(of: session, code)
    return HandOverOffer(code, until: min(offer.expiresAt, session.expiresAt), of: session, navigation.app)
  }

  /// Takes a session over. The ID of the resulting snapshot may act.
  ///
  /// - Parameter retryKey: makes the request safe to repeat until the offer would have expired. Without it, a lost
  ///   response cannot be recovered.
  public func takeOver(
    _ code: HandOverCode, by owner: SessionOwner? = nil, retryKey: String?
  ) async throws(SessionError) -> SessionResult {
    let secret = retryKey.map { code.secret(retriedBy: $0) } ?? .random()
    while true {
      let session = try await offered(code, by: owner)
      if let taken = session.writeAccess.taken, taken.isOpened(by: code, at: clock.now()) {
        let id = SessionID(try open(taken, code).bits, secret: secret)
        if session.writeAccess.allows(id) {
          return SessionResult(snapshot: try snapshot(id, of: session), isReplay: true)
        }
      }
      let (offer, current) = try openOffer(of: session, code)
      let id = SessionID(try open(offer, code).bits, secret: secret)
      let now = clock.now()
      let navigation = LiveNavigation(app: current.app, state: current.state.atNextRevision(now))
      let visible = try visible(navigation)
      let entry = JournalEntry(
        revision: navigation.state.revision, at: now, kind: .handOver, name: "handOver", input: .emptyObject,
        screen: visible.screen.name)
      let writeAccess = session.writeAccess.taken(offer, by: id)
      let expiresAt = session.expiry(in: navigation.app, at: now)
      let committed = try await commit(
        entry, of: session, navigation, visible, writeAccess: writeAccess, expiresAt: expiresAt)
      if let next = committed {
        let snapshot = Snapshot(id: id, session: next, navigation: navigation, visible: visible)
        return SessionResult(snapshot: snapshot, isReplay: false)
      }
    }
  }

  /// Loads the session of a code. All failures are the same error, so that a response reveals nothing about the
  /// session.
  private func offered(_ code: HandOverCode, by owner: SessionOwner?) async throws(SessionError) -> StoredSession {
    do throws(SessionError) {
      return try await load(code.key, by: owner)
    } catch .unknownSession, .expired {
      throw .unknownOffer
    }
  }

  /// Returns the offer that the code opens. A finished session cannot be handed over.
  private func openOffer(
    of session: StoredSession, _ code: HandOverCode
  ) throws(SessionError) -> (WriteAccess.SealedOffer, LiveNavigation) {
    guard let offer = session.writeAccess.open(code, at: clock.now()) else { throw .unknownOffer }
    let navigation = try navigation(of: session)
    guard !navigation.state.isFinished else { throw .unknownOffer }
    return (offer, navigation)
  }

  private func open(_ offer: WriteAccess.SealedOffer, _ code: HandOverCode) throws(SessionError) -> SessionID {
    guard let id = offer.sealedID.open(with: code.text, of: code.key) else {
      throw .store(.unreadable("The session ID stored with a hand-over code cannot be decrypted."))
    }
    return id
  }
}
