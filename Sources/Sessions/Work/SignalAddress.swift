internal import Cryptography
public import Navigation
internal import Values

/// The address at which a session receives a signal, as 80 characters of base64url (RFC 4648, section 5):
///
///     the key of the session (32 bytes), the number of the address (4), its seed (8), an authentication code (16)
///
/// The code is an HMAC with SHA-256 (RFC 2104), truncated to 128 bits, under the secret of the store. No store
/// therefore needs to keep an address, and an address cannot be made without the secret.
public struct SignalAddress: Sendable, Equatable {
  public let session: SessionKey
  let number: UInt32
  let seed: UInt64
  private var code: [UInt8] = []

  private static let size = 60
  private static let codeSize = 16

  init(of signal: AwaitedSignal, in session: SessionKey, under secret: [UInt8]) {
    self.session = session
    number = signal.address
    seed = signal.seed
    code = authenticationCode(under: secret)
  }

  /// Parses an address. Returns nil if the text does not have the form of one.
  public init?(_ text: String) {
    guard let bytes = Base64URL.decode(text), bytes.count == Self.size,
      let session = SessionKey(bytes: Array(bytes[..<32]))
    else { return nil }
    self.session = session
    number = bytes[32..<36].reduce(0) { $0 << 8 | UInt32($1) }
    seed = bytes[36..<44].reduce(0) { $0 << 8 | UInt64($1) }
    code = Array(bytes[44...])
  }

  /// The beginning of each ``path``.
  public static let pathPrefix = "/v1/signals/"

  /// The path of the address in the HTTP API.
  public var path: String { Self.pathPrefix + Base64URL.encode(fields + code) }

  /// The end of the ``path`` that only the secret of the store can make.
  var secret: String { String(path.suffix(Self.codeSize * 8 / 6)) }

  /// Returns whether the store with this secret made the address.
  func isAuthentic(under secret: [UInt8]) -> Bool { HMAC.areEqual(authenticationCode(under: secret), code) }

  private func authenticationCode(under secret: [UInt8]) -> [UInt8] {
    let authenticated = Array("usher signal".utf8) + fields
    return Array(HMAC.code(of: authenticated, key: secret).prefix(Self.codeSize))
  }

  private var fields: [UInt8] {
    session.bytes + withUnsafeBytes(of: number.bigEndian) { Array($0) }
      + withUnsafeBytes(of: seed.bigEndian) { Array($0) }
  }
}

extension SignalDelivery {
  /// Identifies a signal by the id that its sender gave to the message.
  public init(id: String) { self.init("id", Array(id.utf8)) }

  /// Identifies a signal by an idempotency key.
  public init(key: String) { self.init("key", Array(key.utf8)) }

  /// Identifies a signal by its content.
  public init(body: [UInt8]) { self.init("body", body) }

  private init(_ kind: String, _ bytes: [UInt8]) {
    self.init(Digest256(ofParts: [Array("usher delivery \(kind)".utf8), bytes]).first)
  }
}
