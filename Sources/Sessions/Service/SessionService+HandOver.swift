public import Navigation
internal import Values

/// An offer to hand a session over.
public struct HandOverOffer: Sendable {
  /// Who has it may take the session over, once.
  public let code: HandOverCode
  public let expiresAt: Timestamp
  /// Of the session.
  public let app: AppDefinition
}

/// A session moves to another device by a code that is good once and for a while: the device gets an id of its own, and acts; all
/// others go on reading.
extension SessionService {
  /// Offers a session to another device, in the place of an offer that there may be.
  public func offer(
    _ id: SessionID, by owner: SessionOwner? = nil, at revision: UInt64? = nil
  ) async throws(SessionError) -> HandOverOffer {
    let code = HandOverCode(for: SessionKey(id))
    while true {
      let session = try await load(id, by: owner, .current)
      let snapshot = try snapshot(id, of: session)
      guard !snapshot.isReadOnly else { throw .readOnly(snapshot) }
      guard !snapshot.isFinished else { throw .rejected(.finished, snapshot) }
      guard revision == nil || revision == session.revision else { throw .stale(snapshot) }
      let offer = WriteAccess.Offer(
        code: code.digest, sealedID: code.seal(id.bare),
        expiresAt: min(clock.now() + settings.offerTime, session.expiresAt))
      if try await replace(session, with: session.offering(offer)) {
        return HandOverOffer(code: code, expiresAt: offer.expiresAt, app: snapshot.app)
      }
    }
  }

  /// What is offered under a code.
  public func offer(under code: HandOverCode, by owner: SessionOwner? = nil) async throws(SessionError) -> HandOverOffer
  {
    let session = try await offered(code, by: owner)
    let (offer, navigation) = try openOffer(of: session, code)
    return HandOverOffer(code: code, expiresAt: offer.expiresAt, app: navigation.app)
  }

  /// The offer of a session under a code, for the device that made the offer.
  ///
  /// - Parameter code: nil for a text that no code can have.
  public func offer(
    _ code: HandOverCode?, of id: SessionID, by owner: SessionOwner? = nil
  ) async throws(SessionError) -> HandOverOffer {
    let session = try await load(id, by: owner, .current)
    guard let code else { throw .unknownOffer }
    let (offer, navigation) = try openOffer(of: session, code)
    return HandOverOffer(code: code, expiresAt: offer.expiresAt, app: navigation.app)
  }

  /// Takes over what is offered under a code: the snapshot's id is the one to act with.
  ///
  /// - Parameter retryKey: makes the same request safe to send again, for as long as the offer would have been good; without it an
  ///   answer that is lost cannot be had again.
  public func takeOver(
    _ code: HandOverCode, by owner: SessionOwner? = nil, retryKey: String?
  ) async throws(SessionError) -> Performed {
    let secret = retryKey.map { code.secret(retriedBy: $0) } ?? .random()
    while true {
      let session = try await offered(code, by: owner)
      if let taken = session.writeAccess.taken, taken.isOpened(by: code, at: clock.now()) {
        let id = SessionID(try open(taken, code).bits, secret: secret)
        guard session.writeAccess.allows(id) else { throw .unknownOffer }
        return Performed(snapshot: try snapshot(id, of: session), isReplay: true)
      }
      let (offer, current) = try openOffer(of: session, code)
      let id = SessionID(try open(offer, code).bits, secret: secret)
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
        feed.channel(of: next.key)?.advance(to: snapshot)
        return Performed(snapshot: snapshot, isReplay: false)
      }
    }
  }

  /// The session that a code is about. Whatever is wrong with it, nobody is told what.
  private func offered(_ code: HandOverCode, by owner: SessionOwner?) async throws(SessionError) -> StoredSession {
    do throws(SessionError) {
      return try await load(code.key, by: owner, .current)
    } catch .unknownSession, .expired {
      throw .unknownOffer
    }
  }

  /// The offer that the code opens. A session that has finished since is not handed over.
  private func openOffer(
    of session: StoredSession, _ code: HandOverCode
  ) throws(SessionError) -> (WriteAccess.Offer, LiveNavigation) {
    guard let offer = session.writeAccess.offer, offer.isOpened(by: code, at: clock.now()) else { throw .unknownOffer }
    let navigation = try navigation(of: session)
    guard !navigation.state.isFinished else { throw .unknownOffer }
    return (offer, navigation)
  }

  private func open(_ offer: WriteAccess.Offer, _ code: HandOverCode) throws(SessionError) -> SessionID {
    guard let id = code.open(offer.sealedID) else {
      throw .store(.unreadable("The session id that was stored with a hand-over code cannot be decrypted."))
    }
    return id
  }

  private func replace(_ session: StoredSession, with next: StoredSession) async throws(SessionError) -> Bool {
    try await wrappingErrors(of: await store.replace(session, with: next))
  }
}
