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
  /// The session's ID, encrypted under the secret of the store; nil for a session of an app without resume addresses.
  let sealedID: SealedSessionID?
  /// The resume addresses, the oldest first.
  private let resumes: [ResumeOffer]

  /// The access before any hand-over.
  static let everyone = WriteAccess(writer: nil, offer: nil, taken: nil)

  /// Returns the access to a new session of an app with resume addresses.
  static func everyone(sealing id: SealedSessionID) -> WriteAccess {
    WriteAccess(writer: nil, offer: nil, taken: nil, sealedID: id)
  }

  private init(
    writer: Digest256?, offer: SealedOffer?, taken: SealedOffer?, sealedID: SealedSessionID? = nil,
    resumes: [ResumeOffer] = []
  ) {
    self.writer = writer
    self.offer = offer
    self.taken = taken
    self.sealedID = sealedID
    self.resumes = resumes
  }

  /// The offer of a resume address.
  fileprivate struct ResumeOffer: Sendable, Equatable {
    let offer: SealedOffer
    var use: Use

    enum Use: UInt8 {
      case once, repeated
      /// Used or revoked. The offer stays, so that another attempt at its effect does not renew it.
      case over
    }

    func ended() -> ResumeOffer { ResumeOffer(offer: offer, use: .over) }
  }

  /// The maximum number of resume addresses of a session. A further one replaces the oldest.
  static let resumeLimit = 16

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
    WriteAccess(writer: writer, offer: offer, taken: taken, sealedID: sealedID, resumes: resumes)
  }

  /// Returns the access with the offer of a resume address; nil if it has the offer already.
  func offering(_ offer: SealedOffer, isRepeatable: Bool) -> WriteAccess? {
    guard !resumes.contains(where: { $0.offer.code == offer.code }) else { return nil }
    let new = ResumeOffer(offer: offer, use: isRepeatable ? .repeated : .once)
    return with(resumes.suffix(Self.resumeLimit - 1) + [new])
  }

  /// Returns the access without the resume addresses so far.
  func revokingResumes() -> WriteAccess { resumes.isEmpty ? self : with(resumes.map { $0.ended() }) }

  private func with(_ resumes: [ResumeOffer]) -> WriteAccess {
    WriteAccess(writer: writer, offer: offer, taken: taken, sealedID: sealedID, resumes: resumes)
  }

  /// Returns the offer that a code opens: that of a hand-over, or that of a resume address.
  func open(_ code: HandOverCode, at now: Timestamp) -> SealedOffer? {
    if let offer, offer.isOpened(by: code, at: now) { return offer }
    return resumes.first { $0.use != .over && $0.offer.isOpened(by: code, at: now) }?.offer
  }

  /// Returns the access after a device took an open offer.
  ///
  /// - Parameter id: the ID of the device, which has a secret.
  func taken(_ taken: SealedOffer, by id: SessionID) -> WriteAccess {
    let left = resumes.map { $0.use == .once && $0.offer == taken ? $0.ended() : $0 }
    return WriteAccess(writer: id.secretDigest, offer: nil, taken: taken, sealedID: sealedID, resumes: left)
  }

  public static func == (a: WriteAccess, b: WriteAccess) -> Bool {
    a === b
      || a.writer == b.writer && a.offer == b.offer && a.taken == b.taken && a.sealedID == b.sealedID
        && a.resumes == b.resumes
  }

  // The stored form: a byte of flags, and the parts that they name: writer, offer, taken offer, sealed ID, resume
  // addresses.

  private static let hasWriter: UInt8 = 1
  private static let hasOffer: UInt8 = 2
  private static let hasTaken: UInt8 = 4
  private static let hasSealedID: UInt8 = 8
  private static let hasResumes: UInt8 = 16

  func write(to out: inout ByteWriter) {
    let devices =
      (writer == nil ? 0 : Self.hasWriter) | (offer == nil ? 0 : Self.hasOffer) | (taken == nil ? 0 : Self.hasTaken)
    out.append(devices | (sealedID == nil ? 0 : Self.hasSealedID) | (resumes.isEmpty ? 0 : Self.hasResumes))
    if let writer { out.append(sized: writer.bytes) }
    offer?.write(to: &out)
    taken?.write(to: &out)
    if let sealedID { out.append(sized: sealedID.bytes) }
    if resumes.isEmpty { return }
    out.append(list: resumes) { resume, out in
      resume.offer.write(to: &out)
      out.append(resume.use.rawValue)
    }
  }

  convenience init(reading input: inout ByteReader) throws(ValueError) {
    let parts = try input.byte()
    self.init(
      writer: parts & Self.hasWriter != 0 ? try input.sized(Digest256.init(bytes:)) : nil,
      offer: parts & Self.hasOffer != 0 ? try SealedOffer(reading: &input) : nil,
      taken: parts & Self.hasTaken != 0 ? try SealedOffer(reading: &input) : nil,
      sealedID: parts & Self.hasSealedID != 0 ? try input.sized(SealedSessionID.init(bytes:)) : nil,
      resumes: parts & Self.hasResumes != 0 ? try input.list(ResumeOffer.init(reading:)) : [])
  }
}

extension WriteAccess.ResumeOffer {
  fileprivate init(reading input: inout ByteReader) throws(ValueError) {
    offer = try WriteAccess.SealedOffer(reading: &input)
    let byte = try input.byte()
    guard let use = Use(rawValue: byte) else { throw ValueError(.unsupported(byte), offset: 0) }
    self.use = use
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
