internal import Cryptography
internal import Foundation
public import Logging

/// The senders whose signals must be signed, and their secrets (Standard Webhooks 1.0).
public struct SignalSenders: Sendable {
  /// A message with the headers that its signature needs.
  public struct Message: Sendable {
    /// `webhook-id`.
    public var id: String
    /// `webhook-timestamp`: seconds since 1970.
    public var timestamp: String
    /// `webhook-signature`: one or more signatures, separated by blanks.
    public var signatures: String
    public var body: [UInt8]

    public init(id: String, timestamp: String, signatures: String, body: [UInt8]) {
      self.id = id
      self.timestamp = timestamp
      self.signatures = signatures
      self.body = body
    }
  }

  /// The greatest difference, in seconds, between the timestamp of a message and the time of its arrival.
  static let tolerance: Int64 = 300
  /// The greatest number of signatures of a message: a sender adds one for each secret in use.
  static let maxSignatures = 16

  private let secrets: [String: WatchedFile<[[UInt8]]>]

  public static let none = SignalSenders()

  private init() { secrets = [:] }

  /// Reads the files of secrets, which are reloaded after a change. A file has one secret a line: the new and the old
  /// one while a secret is replaced.
  ///
  /// - Parameter files: the paths of the files by the names of the senders.
  /// - Throws: ``AccessError`` for a file that cannot be read or has an invalid secret.
  public init(_ files: [String: String], logger: Logger) throws(AccessError) {
    var secrets: [String: WatchedFile<[[UInt8]]>] = [:]
    for (name, path) in files {
      secrets[name] = try WatchedFile(path, every: .seconds(1), logger) { (bytes) throws(AccessError) in
        try Self.keys(in: bytes, of: path)
      }
    }
    self.secrets = secrets
  }

  /// Returns whether a sender has signed a message, which has an identifier, within the last five minutes.
  ///
  /// - Parameter now: seconds since 1970.
  public func verify(_ message: Message, of sender: String, at now: Int64) -> Bool {
    guard !message.id.isEmpty, let keys = secrets[sender]?.current(), let sent = Int64(message.timestamp),
      (now - Self.tolerance...now + Self.tolerance).contains(sent)
    else { return false }
    let signed = Array("\(message.id).\(message.timestamp).".utf8) + message.body
    let signatures = message.signatures.split(separator: " ", maxSplits: Self.maxSignatures)
    guard signatures.count <= Self.maxSignatures else { return false }
    // An HMAC costs as much as the body is long, hence one for each secret and not for each signature.
    let expected = keys.map { HMAC.code(of: signed, key: $0) }
    return signatures.contains { signature in
      guard signature.hasPrefix("v1,"), let data = Data(base64Encoded: String(signature.dropFirst(3))) else {
        return false
      }
      let code = Array(data)
      return expected.contains { HMAC.areEqual($0, code) }
    }
  }

  private static func keys(in bytes: [UInt8], of path: String) throws(AccessError) -> [[UInt8]] {
    let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
    var keys: [[UInt8]] = []
    for (index, line) in lines.enumerated() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.isEmpty { continue }
      let base64 = text.hasPrefix("whsec_") ? String(text.dropFirst(6)) : text
      guard let secret = Data(base64Encoded: base64), (24...64).contains(secret.count) else {
        throw AccessError(
          "\(path), line \(index + 1): The line is not a secret of 24 to 64 bytes, such as whsec_BASE64.")
      }
      keys.append(Array(secret))
    }
    guard !keys.isEmpty else { throw AccessError("\(path) has no secret. Write whsec_ and base64 into it.") }
    return keys
  }
}
