import Testing
import Values

@testable import Navigation

/// Property 30 between two builds: the newer one reads any damaged bytes of the older one as a consistent state or an
/// error.
@Suite struct VersionedBytesTests {
  /// Packed sessions of the older build, each with other contents.
  private static func samples() throws -> [[UInt8]] {
    let book: [Intent] = [.action(name: "open", input: ["number": 3]), .action(name: "open", input: ["number": 4])]
    let walks: [[Intent]] = [
      book + [.action(name: "annotate", input: ["text": "torn"])],
      book + [.action(name: "give-away", input: .emptyObject)],
      book + [.action(name: "borrow", input: .emptyObject), .open(link: "/archive/1950")],
      [.action(name: "enter-archive", input: ["year": 1950])],
      [.action(name: "enter-archive", input: ["year": 1950]), .action(name: "join", input: .emptyObject)],
    ]
    return try walks.map { walk in
      var session = try Session(OldLibrary.app)
      for intent in walk { try session.perform(intent) }
      return session.packed
    }
  }

  private func sealed(_ content: [UInt8]) -> [UInt8] {
    let sum = content.withUnsafeBytes { checksum($0) }
    return content + withUnsafeBytes(of: sum.littleEndian) { Array($0) }
  }

  /// Returns whether the bytes are a session.
  private func probe(_ bytes: [UInt8], _ app: AppDefinition, _ random: inout Randomness) throws -> Bool {
    let state: SessionState
    do throws(PackingError) {
      state = try app.unpack(bytes)
    } catch {
      #expect(!error.description.isEmpty)
      return false
    }
    let packed = app.pack(state)
    let again = try app.unpack(packed)
    try hold(30, again == state, "what was read is another state when it is stored anew")
    try hold(30, app.pack(again) == packed, "what was read is not stored canonically")
    guard let offer = try? AvailableIntents(app, state) else { return true }
    for intent in offer.advertised(&random) { _ = try? app.perform(intent, on: state) }
    return true
  }

  @Test func `the samples are migrated`() throws {
    let app = try AppDefinition(NewLibrary.app)
    var random = Randomness(seed: 40)
    for packed in try Self.samples() {
      #expect(try probe(packed, app, &random))
      try audit(try app.unpack(packed), of: app)
    }
  }

  @Test func `every truncation is an error, even with a correct checksum`() throws {
    let app = try AppDefinition(NewLibrary.app)
    var random = Randomness(seed: 41)
    for packed in try Self.samples() {
      let content = packed.dropLast(PackedFormat.checksumSize)
      for count in packed.indices {
        #expect(try !probe(Array(packed[..<count]), app, &random))
        guard count < content.count else { continue }
        #expect(try !probe(sealed(Array(content[..<count])), app, &random))
      }
    }
  }

  @Test func `every flipped bit is an error, or a consistent state if the checksum is correct`() throws {
    let app = try AppDefinition(NewLibrary.app)
    var random = Randomness(seed: 42)
    var readable = 0
    for packed in try Self.samples() {
      for place in packed.indices {
        for bit in 0..<8 {
          var flipped = packed
          flipped[place] ^= 1 << bit
          #expect(try !probe(flipped, app, &random))
          guard place < packed.count - PackedFormat.checksumSize else { continue }
          let resealed = sealed(flipped.dropLast(PackedFormat.checksumSize))
          guard try probe(resealed, app, &random) else { continue }
          readable += 1
          try audit(try app.unpack(resealed), of: app)
        }
      }
    }
    // Titles, texts and years can be anything.
    #expect(readable > 100)
  }

  @Test(arguments: ["library", "shelves", "book"])
  func `a version of no build is an error`(name: String) throws {
    let packed = try #require(try Self.samples().first)
    var content = Array(packed.dropLast(PackedFormat.checksumSize))
    // The version follows the name, of the app as of its declarations.
    let place = try #require(content.firstRange(of: Array(name.utf8))).upperBound
    #expect(content[place] == 1)
    let app = try AppDefinition(NewLibrary.app)
    content[place] = 0
    #expect(throws: PackingError.corrupt) { try app.unpack(sealed(content)) }
    content.replaceSubrange(place...place, with: [UInt8](repeating: 0xFF, count: 9) + [1])
    #expect(throws: PackingError.corrupt) { try app.unpack(sealed(content)) }
  }
}
