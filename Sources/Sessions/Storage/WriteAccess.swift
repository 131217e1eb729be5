internal import Values

/// The devices that may act in a session.
///
/// Before a hand-over, any device with the session's ID may act. Afterwards only the device that took the session over
/// last may act, and the others may read.
///
/// A class, because all sessions that were never handed over share one value.
public final class WriteAccess: Sendable, Equatable {
  /// The digest of the secret of the device that may act; nil if the session was never handed over.
  private let writer: Digest256?
  /// The open offer to another device.
  let offer: SealedOffer?
  /// The offer that the last device took, so that its request can be replayed.
  let taken: SealedOffer?

  /// The access before any hand-over.
  static let everyone = WriteAccess(writer: nil, offer: nil, taken: nil)

  private init(writer: Digest256?, offer: SealedOffer?, taken: SealedOffer?) {
    self.writer = writer
    self.offer = offer
    self.taken = taken
  }

  struct SealedOffer: Sendable, Equatable {
    /// The digest of the code.
    let code: Digest256
    /// The session's ID, encrypted with the code.
    let sealedID: SealedSessionID
    let expiresAt: Timestamp

    func isOpened(by code: HandOverCode, at now: Timestamp) -> Bool { self.code == code.digest && now < expiresAt }
  }

  /// Returns whether the ID is, or may once have been, valid for this session.
  func isKnown(_ id: SessionID) -> Bool { writer != nil || !id.hasSecret }

  func allows(_ id: SessionID) -> Bool { writer == nil ? !id.hasSecret : id.secretDigest == writer }

  func offering(_ offer: SealedOffer) -> WriteAccess {
    WriteAccess(writer: writer, offer: offer, taken: taken)
  }

  /// Returns the access after a device took the open offer.
  ///
  /// - Parameter id: the ID of the device, which has a secret.
  func taken(by id: SessionID) -> WriteAccess {
    WriteAccess(writer: id.secretDigest, offer: nil, taken: offer)
  }

  public static func == (a: WriteAccess, b: WriteAccess) -> Bool {
    a === b || a.writer == b.writer && a.offer == b.offer && a.taken == b.taken
  }

  // The stored form: a byte of flags, and the parts that they name: writer, offer, taken offer.

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

  convenience init(reading input: inout ByteReader) throws(ValueError) {
    let parts = try input.byte()
    self.init(
      writer: parts & Self.hasWriter != 0 ? try input.sized(Digest256.init(bytes:)) : nil,
      offer: parts & Self.hasOffer != 0 ? try SealedOffer(reading: &input) : nil,
      taken: parts & Self.hasTaken != 0 ? try SealedOffer(reading: &input) : nil)
  }
}

extension WriteAccess.SealedOffer {
  fileprivate func write(to out: inout ByteWriter) {
    out.append(sized: code.bytes)
    out.append(sized: sealedID.bytes)
    out.append(expiresAt)
  }

  fileprivate init(reading input: inout ByteReader) throws(ValueError) {
    code = try input.sized(Digest256.init(bytes:))
    sealedID = try input.sized(SealedSessionID.init(bytes:))
    expiresAt = try input.timestamp()
  }
}
