import Testing

@testable import Sessions
import Stores
import Values

/// Session ids that stores keep encrypted under an idempotency key or a hand-over code.
@Suite struct SealedSessionIDTests {
  private static func idempotency(_ key: String) -> Idempotency { Idempotency(key: key, request: [Array("shop".utf8)]) }

  private func create(_ key: String, in test: TestStore) async throws -> SessionResult {
    try await test.service.create(.init(app: "shop", idempotency: Self.idempotency(key)))
  }

  /// A creation with another sealed id, or under another key.
  private func outcome(
    _ original: CreationOutcome, key: String = "k", sealedID: SealedSessionID? = nil
  ) -> CreationOutcome {
    CreationOutcome(
      key: IdempotencyDigest(key, creationBy: nil), fingerprint: original.fingerprint,
      sealedID: sealedID ?? original.sealedID, session: original.session, storedAt: original.storedAt,
      expiresAt: original.expiresAt)
  }

  private func isUnreadable(_ body: () async throws -> SessionResult) async -> Bool {
    do {
      _ = try await body()
      return false
    } catch SessionError.store(.unreadable) {
      return true
    } catch {
      return false
    }
  }

  @Test(arguments: StoreKind.available)
  func `a modified sealed id does not replay a creation`(kind: StoreKind) async throws {
    let source = try TestStore(.memory)
    let created = try await create("k", in: source).snapshot
    let original = try #require(try await source.creation("k"))
    let bytes = original.sealedID.bytes
    for place in [0, 1, 7, bytes.count / 2, bytes.count - 1] {
      var changed = bytes
      changed[place] ^= 1
      // A changed version byte makes it an unknown format.
      guard let sealedID = SealedSessionID(bytes: changed) else { continue }
      let test = try TestStore(kind)
      #expect(try await test.store.insert(created.session, outcome: outcome(original, sealedID: sealedID)))
      #expect(await isUnreadable { try await create("k", in: test) }, "byte \(place)")
    }
  }

  @Test func `a sealed id opens with its own key only`() async throws {
    let source = try TestStore(.memory)
    let created = try await create("k", in: source).snapshot
    let original = try #require(try await source.creation("k"))
    let test = try TestStore(.memory)
    #expect(try await test.store.insert(created.session, outcome: outcome(original, key: "other")))
    #expect(await isUnreadable { try await create("other", in: test) })
  }

  @Test func `a sealed id opens for its own session only`() throws {
    let (id, other) = (SessionID.random(), SessionID.random())
    let sealedID = SealedSessionID(id, under: "k")
    #expect(sealedID.open(with: "k", of: SessionKey(id)) == id)
    #expect(sealedID.open(with: "k", of: SessionKey(other)) == nil)
    #expect(sealedID.open(with: "K", of: SessionKey(id)) == nil && sealedID.open(with: "", of: SessionKey(id)) == nil)
    #expect(SealedSessionID(id, under: "k") != sealedID)
  }

  @Test func `a sealed id with a changed bit or another length does not open`() throws {
    let id = SessionID.random()
    for original in [SealedSessionID(id, under: "k").bytes, try firstFormat(of: id, under: "k").bytes] {
      for place in original.indices {
        for bit in 0..<8 {
          var bytes = original
          bytes[place] ^= 1 << UInt8(bit)
          #expect(SealedSessionID(bytes: bytes)?.open(with: "k", of: SessionKey(id)) == nil, "bit \(bit) of \(place)")
        }
      }
      for length in 0..<original.count {
        #expect(SealedSessionID(bytes: Array(original.prefix(length)))?.open(with: "k", of: SessionKey(id)) == nil)
        #expect(SealedSessionID(bytes: Array(original.suffix(length)))?.open(with: "k", of: SessionKey(id)) == nil)
      }
      #expect(SealedSessionID(bytes: original + [0]) == nil)
    }
  }

  // MARK: - The format of the previous version

  private func firstFormat(of id: SessionID, under text: String) throws -> SealedSessionID {
    let pad = Digest256(ofParts: [Array("usher session id".utf8), Array(text.utf8)]).bytes
    return try #require(SealedSessionID(bytes: zip(id.bits.bytes, pad).map { $0 ^ $1 }))
  }

  @Test(arguments: StoreKind.available)
  func `a sealed id of the first format replays a creation`(kind: StoreKind) async throws {
    let source = try TestStore(.memory)
    let created = try await create("k", in: source).snapshot
    let original = try #require(try await source.creation("k"))
    let test = try TestStore(kind)
    let old = outcome(original, sealedID: try firstFormat(of: created.id, under: "k"))
    #expect(old.content.first == 1 && original.content.first == 2)
    #expect(try await test.store.insert(created.session, outcome: old))
    if kind.isDurable { try test.reopen() }
    let replay = try await create("k", in: test)
    #expect(replay.isReplay && replay.snapshot.id == created.id)
  }

  @Test(arguments: StoreKind.available)
  func `a sealed id of the first format is handed over, and replayed`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await test.create("tabs")
    let code = HandOverCode(for: SessionKey(session.id))
    let offer = WriteAccess.Offer(
      code: code.digest, sealedID: try firstFormat(of: session.id, under: code.text), expiresAt: test.now + 600)
    let offering = session.session.offering(offer)
    #expect(offering.content.first == 3)
    #expect(try await test.store.replace(session.session, with: offering))
    if kind.isDurable { try test.reopen() }
    let taken = try await test.service.takeOver(code, retryKey: "mine")
    #expect(taken.snapshot.id.bare == session.id && taken.snapshot.session.content.first == 3)
    let again = try await test.service.takeOver(code, retryKey: "mine")
    #expect(again.isReplay && again.snapshot.id == taken.snapshot.id)
    // The next offer has the second format, beside one of the first.
    let next = try await test.service.offer(taken.snapshot.id).code
    if kind.isDurable { try test.reopen() }
    guard case .live(let stored) = try await test.store.load(SessionKey(session.id), .current) else {
      Issue.record("The session is missing.")
      return
    }
    #expect(stored.content.first == 4)
    #expect(try await test.service.takeOver(next, retryKey: nil).snapshot.id.bare == session.id)
  }

  @Test(arguments: StoreKind.available)
  func `a modified sealed id is not handed over`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await test.create("tabs")
    let code = HandOverCode(for: SessionKey(session.id))
    var bytes = code.seal(session.id).bytes
    bytes[20] ^= 1
    let offer = WriteAccess.Offer(
      code: code.digest, sealedID: try #require(SealedSessionID(bytes: bytes)), expiresAt: test.now + 600)
    #expect(try await test.store.replace(session.session, with: session.session.offering(offer)))
    #expect(await isUnreadable { try await test.service.takeOver(code, retryKey: nil) })
    #expect(try await test.service.snapshot(session.id).isReadOnly == false)
  }
}
