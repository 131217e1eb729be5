internal import Values

/// The packed form of a session: what stores keep.
///
///     magic "US", format, app name, app version, revision, next id, flags,
///     coordinators, root stack, prompt?, pending wish?, result?, checksum (4 bytes)
///
/// Numbers are LEB128 varints, texts carry their length, app data is CBOR (RFC 8949). Coordinators, screens and prompts are
/// named in full with their version where they first occur and by the number of that occurrence afterwards, so the bytes
/// depend on declared names only, and not on the order in which an app is built. One state has one packed form.
enum PackedFormat {
  static let magic: [UInt8] = [0x55, 0x53]
  static let version: UInt8 = 1
  static let checksumSize = 4

  struct Flags: OptionSet {
    let rawValue: UInt8
    static let prompt = Flags(rawValue: 1)
    static let pending = Flags(rawValue: 2)
    static let result = Flags(rawValue: 4)
    static let all: Flags = [.prompt, .pending, .result]
  }

  /// What an entry is, beside its leave policy in the two lowest bits.
  static let tabsBit: UInt8 = 4
}

extension AppDefinition {
  /// The packed form of a state of this app.
  public func pack(_ state: SessionState) -> [UInt8] {
    var packer = SessionPacker(app: self)
    packer.write(state)
    return packer.finish()
  }

  /// Reads what ``pack(_:)`` wrote, be it of another version of the app: that is carried over by the author's rules, whole
  /// or not at all. Whatever the bytes are, the result is a consistent state or an error.
  ///
  /// - Parameter environment: the facts that the code of the app can read, which are not packed.
  public func unpack(
    _ bytes: [UInt8], environment: SessionEnvironment = SessionEnvironment()
  ) throws(PackingError) -> SessionState {
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
      state.environment = environment
      if let broken = state.brokenInvariant() { throw PackingError.inconsistent(broken) }
      if unpacker.isCarrying {
        do throws(CarryingObstacle) {
          try CarriedStateCheck(app: self, state: state).run()
        } catch {
          throw PackingError.cannotBeCarriedOver(error)
        }
      }
      return state
    } catch {
      throw error as? PackingError ?? .corrupt
    }
  }
}
