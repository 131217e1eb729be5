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
    for offset in [0, 1, 7, bytes.count / 2, bytes.count - 1] {
      var changed = bytes
      changed[offset] ^= 1
      // A changed version byte makes it an unknown format.
      guard let sealedID = SealedSessionID(bytes: changed) else { continue }
      let test = try TestStore(kind)
      #expect(try await test.store.insert(created.session, outcome: outcome(original, sealedID: sealedID)))
      #expect(await isUnreadable { try await create("k", in: test) }, "byte \(offset)")
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
    let original = SealedSessionID(id, under: "k").bytes
    for offset in original.indices {
      for bit in 0..<8 {
        var bytes = original
        bytes[offset] ^= 1 << UInt8(bit)
        #expect(SealedSessionID(bytes: bytes)?.open(with: "k", of: SessionKey(id)) == nil, "bit \(bit) of \(offset)")
      }
    }
    for length in 0..<original.count {
      #expect(SealedSessionID(bytes: Array(original.prefix(length)))?.open(with: "k", of: SessionKey(id)) == nil)
      #expect(SealedSessionID(bytes: Array(original.suffix(length)))?.open(with: "k", of: SessionKey(id)) == nil)
    }
    #expect(SealedSessionID(bytes: original + [0]) == nil)
  }

  @Test(arguments: StoreKind.available)
  func `a modified sealed id is not handed over`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let session = try await test.create("tabs")
    let code = HandOverCode(for: SessionKey(session.id))
    var bytes = SealedSessionID(session.id, under: code.text).bytes
    bytes[20] ^= 1
    let offer = WriteAccess.SealedOffer(
      code: code.digest, sealedID: try #require(SealedSessionID(bytes: bytes)), expiresAt: test.now + 600)
    #expect(try await test.store.replace(session.session, with: session.session.offering(offer)))
    #expect(await isUnreadable { try await test.service.takeOver(code, retryKey: nil) })
    #expect(try await test.service.snapshot(session.id).isReadOnly == false)
  }
}
