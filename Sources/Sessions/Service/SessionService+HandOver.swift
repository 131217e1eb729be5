public import Navigation
internal import Values

/// What a session is offered under to another device.
public struct HandOverOffer: Sendable {
  /// The session's id with the code of the offer as its secret. Who has it may take the session over, once.
  public let code: SessionID
  public let expiresAt: Timestamp
  /// Of the session's app.
  public let app: AppDefinition
}

/// A session moves to another device by a code that is good once and for a while: the device gets an id of its own, and acts; all
/// others go on reading.
extension SessionService {
  /// Offers a session to another device, in the place of an offer that there may be.
  public func offer(_ id: SessionID, by owner: SessionOwner? = nil) async throws(SessionError) -> HandOverOffer {
    while true {
      let session = try await load(id, by: owner, .current)
      let snapshot = try snapshot(id, of: session)
      guard !snapshot.isReadOnly else { throw .readOnly(snapshot) }
      guard !snapshot.isFinished else { throw .rejected(.finished, snapshot) }
      let code = SessionID(id.bits, secret: .random())
      guard let digest = code.secretDigest else { throw .unknownOffer }
      let offer = WriteAccess.Offer(code: digest, expiresAt: min(clock.now() + settings.offerTime, session.expiresAt))
      if try await replace(session, with: session.offering(offer)) {
        return HandOverOffer(code: code, expiresAt: offer.expiresAt, app: snapshot.app)
      }
    }
  }

  /// What is offered under a code.
  public func offer(under code: SessionID, by owner: SessionOwner? = nil) async throws(SessionError) -> HandOverOffer {
    let session = try await offered(code, by: owner)
    guard let offer = offer(of: session, under: code) else { throw .unknownOffer }
    return HandOverOffer(code: code, expiresAt: offer.expiresAt, app: try navigation(of: session).app)
  }

  /// Takes over what is offered under a code: the snapshot's id is the one to act with.
  ///
  /// - Parameter retryKey: makes the same request safe to send again; without it an answer that is lost cannot be had again.
  public func takeOver(
    _ code: SessionID, by owner: SessionOwner? = nil, retryKey: String?
  ) async throws(SessionError) -> Performed {
    let id = SessionID(code.bits, secret: retryKey.map { Self.secret(for: code, $0) } ?? .random())
    while true {
      let session = try await offered(code, by: owner)
      // Nobody else gets to this id: it is made of the code and of the key.
      if session.writeAccess.writer != nil, session.writeAccess.allows(id) {
        return Performed(snapshot: try snapshot(id, of: session), isReplay: true)
      }
      guard offer(of: session, under: code) != nil else { throw .unknownOffer }
      let current = try navigation(of: session)
      let navigation = LiveNavigation(app: current.app, state: current.state.atNextRevision)
      let visible = try visible(navigation)
      let entry = JournalEntry(
        revision: navigation.state.revision, at: clock.now(), kind: .handOver, name: "handOver", input: .emptyObject,
        screen: visible.screen.name)
      let next = session.advanced(
        to: .live(navigation), by: entry, keeping: settings.journalLimit,
        writeAccess: session.writeAccess.taken(by: id))
      if try await replace(session, with: next) {
        metrics.count(entry.kind, entry.name, of: next.app)
        let snapshot = Snapshot(id: id, session: next, navigation: navigation, visible: visible)
        feed.channel(of: next.key)?.advance(
          to: Snapshot(id: id.bare, session: next, navigation: navigation, visible: visible))
        return Performed(snapshot: snapshot, isReplay: false)
      }
    }
  }

  /// The session that a code is about. Whatever is wrong with it, nobody is told what.
  private func offered(_ code: SessionID, by owner: SessionOwner?) async throws(SessionError) -> StoredSession {
    do throws(SessionError) {
      let session = try await load(code.bare, by: owner, .current)
      guard code.hasSecret else { throw .unknownOffer }
      return session
    } catch .unknownSession, .expired {
      throw .unknownOffer
    }
  }

  private func offer(of session: StoredSession, under code: SessionID) -> WriteAccess.Offer? {
    guard let offer = session.writeAccess.offer, offer.code == code.secretDigest, clock.now() < offer.expiresAt else {
      return nil
    }
    return offer
  }

  private func replace(_ session: StoredSession, with next: StoredSession) async throws(SessionError) -> Bool {
    try await storing(.replace) { () throws(StoreError) in try await store.replace(session, with: next) }
  }

  private static func secret(for code: SessionID, _ key: String) -> RandomBits {
    let digest = Digest256(ofParts: [Array("usher hand-over".utf8), Array(code.text.utf8), Array(key.utf8)])
    return digest.bytes.withUnsafeBytes { raw in
      RandomBits(
        high: raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
        low: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }
}
