public import Navigation
public import Values

/// Which devices may act in a session: all that have its id, until it is handed over; from then on the one that it was handed
/// over to last, and the others read.
public struct WriteAccess: Sendable, Equatable {
  /// The digest of the secret behind the id of the device that may act; nil where it was never handed over.
  private(set) var writer: Digest256?
  /// The device that it may be handed over to next.
  private(set) var offer: Offer?

  /// Where nothing was handed over.
  static let everyone = WriteAccess()

  struct Offer: Sendable, Equatable {
    /// The digest of the code that the offer is taken with.
    let code: Digest256
    let expiresAt: Timestamp
  }

  /// Whether the id is one that the session has or had.
  func isKnown(_ id: SessionID) -> Bool { writer != nil || !id.hasSecret }

  func allows(_ id: SessionID) -> Bool { writer == nil ? !id.hasSecret : id.secretDigest == writer }

  func offering(_ offer: Offer) -> WriteAccess {
    var next = self
    next.offer = offer
    return next
  }

  /// - Parameter id: that of the device which acts from now on; it has a secret.
  func taken(by id: SessionID) -> WriteAccess { WriteAccess(writer: id.secretDigest) }
}

extension WriteAccess {
  private static let hasWriter: UInt8 = 1
  private static let hasOffer: UInt8 = 2

  func write(to out: inout ByteWriter) {
    out.append((writer == nil ? 0 : Self.hasWriter) | (offer == nil ? 0 : Self.hasOffer))
    if let writer { out.append(sized: writer.bytes) }
    if let offer {
      out.append(sized: offer.code.bytes)
      out.append(offer.expiresAt)
    }
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    let parts = try input.byte()
    if parts & Self.hasWriter != 0 { writer = try input.digest() }
    if parts & Self.hasOffer != 0 {
      offer = Offer(code: try input.digest(), expiresAt: try input.timestamp())
    }
  }
}

extension ByteReader {
  fileprivate mutating func digest() throws(ValueError) -> Digest256 {
    guard let digest = Digest256(bytes: try sizedBytes()) else { throw ValueError(.truncated, offset: position) }
    return digest
  }
}
