public import Values

/// The packed form of a session, which stores keep.
///
///     magic "US", format, app name, app version, revision, next id, flags,
///     coordinators, root stack, prompt?, prompts that wait?, pending intents?, result?, pending work?, principal?,
///     loaded properties?, locked starts?,
///     checksum (4 bytes)
///
/// Numbers are LEB128 varints, a text follows its length, and app data is CBOR (RFC 8949). Coordinators, screens and
/// prompts are named in full with their version where they first occur, and by the number of that occurrence
/// afterwards. The bytes therefore depend on declared names only, and not on the order in which an app is built. One
/// state has one packed form.
enum PackedFormat {
  static let magic: [UInt8] = [0x55, 0x53]
  static let version: UInt8 = 1
  static let checksumSize = 4

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let prompt = Flags(rawValue: 1)
    static let pending = Flags(rawValue: 2)
    static let result = Flags(rawValue: 4)
    static let work = Flags(rawValue: 8)
    static let principal = Flags(rawValue: 16)
    static let queuedPrompts = Flags(rawValue: 32)
    static let loaded = Flags(rawValue: 64)
    static let lockedStarts = Flags(rawValue: 128)
  }

  /// Marks a pending intent with entries that the user has agreed to leave, beside the part that it awaits.
  static let consentsBit: UInt8 = 8

  /// Marks a pending intent that another one follows.
  static let nextIntentBit: UInt8 = 16

  /// Marks a pending intent that goes on from a known entry.
  static let originBit: UInt8 = 32

  /// Stands for the leave policy that the screen declares, which may be another one in the next version of the app.
  static let policyOfScreen: UInt8 = 3

  /// Marks an entry with tabs, beside its leave policy in the two lowest bits.
  static let tabsBit: UInt8 = 4

  /// Marks the entry of a refused form, which the refusal follows.
  static let refusalBit: UInt8 = 8

  /// The optional parts of an effect.
  struct EffectParts: OptionSet {
    let rawValue: UInt8
    static let key = EffectParts(rawValue: 1)
    static let compensation = EffectParts(rawValue: 2)
    static let property = EffectParts(rawValue: 4)
    static let form = EffectParts(rawValue: 8)
    static let supersededForm = EffectParts(rawValue: 16)
    static let keyOfAnswers = EffectParts(rawValue: 32)
    static let keyOfVerification = EffectParts(rawValue: 64)
    static let keys: EffectParts = [.key, .keyOfAnswers, .keyOfVerification]
    static let all: EffectParts = [.compensation, .property, .form, .supersededForm, .keys]
  }

  /// Marks a tab whose title has a key, beside the flag of its icon.
  static let keyBit: UInt8 = 2
}

extension AppDefinition {
  /// Returns the packed form of a state of this app.
  public func pack(_ state: SessionState) -> [UInt8] { SessionPacker(app: self, state: state).pack().bytes }

  /// Returns the packed form of a state of this app, with its blobs apart.
  public func packSplit(_ state: SessionState) -> SplitBytes {
    let (bytes, blobs) = SessionPacker(app: self, state: state).pack()
    return SplitBytes(bytes, without: blobs)
  }

  /// Reads the packed form of a state. A state of another version of the app is migrated by the author's migrations, as
  /// a whole or not at all. For any bytes, the result is a consistent state or an error.
  ///
  /// - Parameter locale: the locale that the session was created with, which is not packed.
  public func unpack(
    _ bytes: [UInt8], locale: String? = nil
  ) throws(PackingError) -> SessionState {
    try unpack(bytes, in: SessionEnvironment(locale: locale))
  }

  /// Reads the packed form of a state, as ``unpack(_:locale:)`` does.
  ///
  /// - Parameter environment: the locale, the time zone and the time of the last step, which are not packed.
  package func unpack(_ bytes: [UInt8], in environment: SessionEnvironment) throws(PackingError) -> SessionState {
    let contentSize = bytes.count - PackedFormat.checksumSize
    guard contentSize > PackedFormat.magic.count else { throw .corrupt }
    let isIntact = bytes.withUnsafeBytes { raw in
      let stored = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: contentSize, as: UInt32.self))
      return checksum(UnsafeRawBufferPointer(rebasing: raw[..<contentSize])) == stored
    }
    guard isIntact else { throw .corrupt }
    do {
      var unpacker = SessionUnpacker(app: self, bytes: bytes)
      var state = try unpacker.readState()
      let principal = state.environment.principal
      state.environment = principal == nil ? environment : environment.with(principal: principal)
      if let broken = state.brokenInvariant() { throw PackingError.inconsistent(broken) }
      if unpacker.isMigrating { try MigratedStateValidator(app: self, state: state).run() }
      return state
    } catch {
      throw PackingError(error)
    }
  }
}

extension SplitBytes {
  /// The version of the app that has packed a state into these bytes; nil if they are damaged.
  package var packedAppVersion: Int? {
    // The blobs lie behind the head.
    var input = ByteReader(rest)
    guard (try? input.skip(PackedFormat.magic.count + 1)) != nil, let size = try? input.int(),
      (try? input.skip(size)) != nil
    else { return nil }
    return try? input.int()
  }
}

/// The reason why packed bytes are not a session of an app. Truncated or corrupt bytes have no other effect.
///
/// All cases but ``cannotBeMigrated(_:)`` mean that a store has damaged or confused its bytes.
public enum PackingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The bytes are too few or too many, or their checksum is wrong.
  case corrupt
  /// The packed form has a version that this build does not know.
  case unknownFormat(Int)
  /// The session belongs to another app.
  case otherApp(String)
  /// The bytes can be read, but the state breaks an invariant.
  case inconsistent(BrokenInvariant)
  /// The session is intact, but of another version of the app or of another host, and this one cannot continue it.
  case cannotBeMigrated(MigrationObstacle)

  /// Creates the reason for an error of a reader. A `ValueError` stands for corrupt bytes.
  init(_ error: any Error) {
    self = (error as? MigrationObstacle).map { .cannotBeMigrated($0) } ?? error as? PackingError ?? .corrupt
  }

  /// A sentence for people, by declared names.
  public var description: String {
    switch self {
    case .corrupt: "The bytes are damaged."
    case .unknownFormat(let format):
      "The bytes have version \(format) of the packed form, which this build does not know."
    case .otherApp(let name): "The session belongs to the app \(name)."
    case .inconsistent(let reason): "The session is not consistent: \(reason)."
    case .cannotBeMigrated(let obstacle):
      "The session cannot be migrated to this version of the app. \(obstacle)"
    }
  }
}

/// A 32-bit checksum over bytes, eight at a time: a multiplication and a fold for each word. The checksum detects
/// accidental damage in storage, and does not protect against a deliberate change.
func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
  let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15
  var sum = UInt64(bytes.count) &* multiplier
  var offset = 0
  while offset + 8 <= bytes.count {
    let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    sum = fold((sum ^ word) &* multiplier)
    offset += 8
  }
  var tail: UInt64 = 0
  while offset < bytes.count {
    tail = tail << 8 | UInt64(bytes[offset])
    offset += 1
  }
  sum = fold((sum ^ tail) &* multiplier)
  return UInt32(truncatingIfNeeded: sum ^ (sum >> 32))
}

private func fold(_ sum: UInt64) -> UInt64 { sum ^ (sum >> 29) }
