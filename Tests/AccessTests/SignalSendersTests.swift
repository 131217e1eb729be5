import Cryptography
import Foundation
import Logging
import Testing

@testable import Access

/// Signatures by Standard Webhooks 1.0.
@Suite struct SignalSendersTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "senders-\(UUID().uuidString)")
  // The example of the specification.
  private let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  private let message = SignalSenders.Message(
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: "1614265330",
    signatures: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", body: Array(#"{"test": 2432232314}"#.utf8))
  private let now: Int64 = 1_614_265_330

  private func senders(_ text: String) throws -> SignalSenders {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let path = folder.appending(path: UUID().uuidString).path
    try Data(text.utf8).write(to: URL(filePath: path))
    return try SignalSenders(["bank": path], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test func `a message with a signature of its sender is authentic for five minutes`() throws {
    let senders = try senders(secret)
    for difference in [-300, -1, 0, 300] as [Int64] {
      #expect(senders.verify(message, of: "bank", at: now + difference))
    }
    for difference in [-301, 301] as [Int64] {
      #expect(!senders.verify(message, of: "bank", at: now + difference))
    }
  }

  @Test(arguments: ["id", "timestamp", "body", "signature", "version", "sender"])
  func `a message with another part is forged`(part: String) throws {
    let senders = try senders(secret)
    var message = message
    switch part {
    case "id": message.id += "x"
    case "timestamp": message.timestamp = "1614265331"
    case "body": message.body.append(0x20)
    case "signature": message.signatures = "v1,AAAA"
    case "version": message.signatures = "v2" + message.signatures.dropFirst(2)
    default: break
    }
    #expect(!senders.verify(message, of: part == "sender" ? "other" : "bank", at: now))
  }

  @Test func `one of several signatures, and one of two secrets, suffice`() throws {
    let other = "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()
    let both = try senders("\(other)\n\n\(secret)\n")
    #expect(both.verify(message, of: "bank", at: now))
    var several = message
    several.signatures = "v1a,x v1,%% v1,AAAA \(message.signatures)"
    #expect(both.verify(several, of: "bank", at: now))
    #expect(!(try senders(other).verify(message, of: "bank", at: now)))
    #expect(!SignalSenders.none.verify(message, of: "bank", at: now))
  }

  @Test func `a message with more than 16 signatures is refused`() throws {
    let senders = try senders(secret)
    for (others, isAuthentic) in [(15, true), (16, false), (3600, false)] {
      var many = message
      many.signatures += String(repeating: " v1,AAAA", count: others)
      #expect(senders.verify(many, of: "bank", at: now) == isAuthentic)
    }
  }

  @Test func `a signed message without an identifier is refused`() throws {
    let senders = try senders(secret)
    let key = Array(try #require(Data(base64Encoded: String(secret.dropFirst(6)))))
    for (id, isAuthentic) in [("", false), ("a", true)] {
      var signed = message
      signed.id = id
      let text = Array("\(id).\(message.timestamp).".utf8) + message.body
      let code = HMAC.code(of: text, key: key)
      signed.signatures = "v1,\(Data(code).base64EncodedString())"
      #expect(senders.verify(signed, of: "bank", at: now) == isAuthentic)
    }
  }

  @Test(arguments: ["", "\n", "whsec_", "whsec_AAAA", "hello world", String(repeating: "A", count: 200)])
  func `a file without a valid secret is an error that does not repeat it`(text: String) throws {
    let error = #expect(throws: AccessError.self) { try senders(text) }
    #expect(text.count < 10 || error.map { !"\($0)".contains(text) } == true)
  }
}
