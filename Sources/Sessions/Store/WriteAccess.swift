internal import Values

/// Which devices may act in a session: all that have its id, until it is handed over; from then on the one that it was handed
/// over to last, and the others read.
public struct WriteAccess: Sendable, Equatable {
  /// The digest of the secret behind the id of the device that may act; nil where it was never handed over.
  private var writer: Digest256?
  /// What the session is offered under to the next device.
  private(set) var offer: Offer?
  /// The offer that the last device has taken, by which its request can come again.
  private(set) var taken: Offer?

  /// Where nothing was handed over.
  static let everyone = WriteAccess()

  struct Offer: Sendable, Equatable {
    /// The digest of the code.
    let code: Digest256
    /// The session's id, readable only with the code.
    let sealedID: SealedSessionID
    let expiresAt: Timestamp

    func isOpened(by code: HandOverCode, at now: Timestamp) -> Bool { self.code == code.digest && now < expiresAt }
  }

  /// Whether the id is one that the session has or had.
  func isKnown(_ id: SessionID) -> Bool { writer != nil || !id.hasSecret }

  func allows(_ id: SessionID) -> Bool { writer == nil ? !id.hasSecret : id.secretDigest == writer }

  /// Whether a process of the version before can read it.
  var isOfFirstVersion: Bool { [offer, taken].allSatisfy { $0?.sealedID.isFirstVersion ?? true } }

  func offering(_ offer: Offer) -> WriteAccess {
    var next = self
    next.offer = offer
    return next
  }

  /// After the offer that there is was taken.
  ///
  /// - Parameter id: that of the device which acts from now on; it has a secret.
  func taken(by id: SessionID) -> WriteAccess {
    var next = WriteAccess()
    next.writer = id.secretDigest
    next.taken = offer
    return next
  }
}

/// Packed: what there is of the three, in this order, behind a byte that says what.
extension WriteAccess {
  private static let hasWriter: UInt8 = 1
  private static let hasOffer: UInt8 = 2
  private static let hasTaken: UInt8 = 4

  func write(to out: inout ByteWriter) {
    out.append(
      (writer == nil ? 0 : Self.hasWriter) | (offer == nil ? 0 : Self.hasOffer) | (taken == nil ? 0 : Self.hasTaken))
    if let writer { out.append(sized: writer.bytes) }
    offer?.write(to: &out)
    taken?.write(to: &out)
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    let parts = try input.byte()
    if parts & Self.hasWriter != 0 { writer = try input.digest() }
    if parts & Self.hasOffer != 0 { offer = try Offer(reading: &input) }
    if parts & Self.hasTaken != 0 { taken = try Offer(reading: &input) }
  }
}

extension WriteAccess.Offer {
  fileprivate func write(to out: inout ByteWriter) {
    out.append(sized: code.bytes)
    out.append(sized: sealedID.bytes)
    out.append(expiresAt)
  }

  fileprivate init(reading input: inout ByteReader) throws(ValueError) {
    code = try input.digest()
    guard let id = SealedSessionID(bytes: try input.sizedBytes()) else {
      throw ValueError(.truncated, offset: input.position)
    }
    sealedID = id
    expiresAt = try input.timestamp()
  }
}

extension ByteReader {
  fileprivate mutating func digest() throws(ValueError) -> Digest256 {
    guard let digest = Digest256(bytes: try sizedBytes()) else { throw ValueError(.truncated, offset: position) }
    return digest
  }
}
