import Foundation
import Navigation
import Sessions
import Stores
import TestSupport
import Testing
import Values

/// A copy of the database does not give an attacker access to a session.
@Suite(.limitedConcurrency) struct DatabaseDumpTests {
  @Test(arguments: StoreKind.available.filter(\.isDurable))
  func `a dump contains no usable id, secret or code`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let owner = SessionOwner(name: "the principal Ann")
    // All operations that store data derived from an id, a secret or a code.
    let first = try await test.create("shop", key: "key").id
    let owned = try await test.service.create(.init(app: "bank", link: "/accounts/a2", owner: owner)).snapshot.id
    let pending = try await test.service.offer(first).code
    let code = try await test.service.offer(owned, by: owner).code
    let taken = try await test.service.takeOver(code, by: owner, retryKey: "retry key").snapshot.id
    let intent = IntentRequest(
      .tab("inbox"), revision: 2, idempotency: Idempotency(key: "act", request: [Array(taken.text.utf8)]))
    _ = try await test.service.perform(intent, on: taken, by: owner)
    try await test.service.delete(try await test.create().id)

    let dump = try dump(test)
    // The dump does contain these sessions.
    #expect(dump.contains { $0.contains(SessionKey(first).bytes) } && dump.contains { $0.contains(owner.bytes) })
    let codes = [pending, code].map { $0.text.suffix(22) }
    let parts = [first, owned, taken].flatMap { $0.text.split(separator: ".") } + codes
    for part in parts {
      let bits = try #require(Data(base64Encoded: part.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 } + "=="))
      for secret in [
        Array(part.utf8), Array(bits), bits.reversed(), Array(bits.map { String(format: "%02x", $0) }.joined().utf8),
      ] {
        #expect(!dump.contains { $0.contains(secret) }, "\(part)")
      }
    }
    for text in ["retry key", "principal Ann"] { #expect(!dump.contains { $0.contains(Array(text.utf8)) }) }
  }

  /// The bytes of the session file and its log, or of all rows of the database.
  private func dump(_ test: TestStore) throws -> [[UInt8]] {
    if case .postgres(let url) = test.location {
      let connection = try TestConnection(url)
      return try ["usher_session", "usher_work", "usher_creation", "usher_watch", "usher_schema"].map {
        try connection.dump($0)
      }
    }
    return try FileManager.default.contentsOfDirectory(at: test.folder, includingPropertiesForKeys: nil).map {
      Array(try Data(contentsOf: $0))
    }
  }
}
