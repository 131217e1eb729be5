import ExampleApps
import Testing
import Values

@testable import Navigation

/// Property 30, on sessions of all apps in many states.
@Suite struct CorruptBytesTests {
  /// Packed sessions along a walk.
  private func samples(_ app: AppDefinition) throws -> [[UInt8]] {
    var random = Randomness(seed: 30)
    var packed = try app.begin().packed
    var samples = [packed]
    for _ in 0..<30 {
      let intents = try AvailableIntents(app, try app.unpack(packed)).advertised(&random)
      guard !intents.isEmpty else { break }
      packed = try app.perform(random.pick(intents), on: packed).packed
      samples.append(packed)
    }
    return samples
  }

  @Test func `every truncation is an error`() throws {
    for app in try ExampleApps.all.map({ try AppDefinition($0) }) {
      for packed in try samples(app) {
        for count in packed.indices {
          let read = try? app.unpack(Array(packed[..<count]))
          if read != nil { Issue.record("\(count) of \(packed.count) bytes were read") }
        }
      }
    }
  }

  @Test func `every flipped bit is an error`() throws {
    for app in try ExampleApps.all.map({ try AppDefinition($0) }) {
      for packed in try samples(app).suffix(2) {
        for place in packed.indices {
          for bit in 0..<8 {
            var flipped = packed
            flipped[place] ^= 1 << bit
            let read = try? app.unpack(flipped)
            if read != nil { Issue.record("a flipped bit in byte \(place) was not noticed") }
          }
        }
      }
    }
  }

  @Test func `changed bytes with a correct checksum are an error or a consistent state`() throws {
    var random = Randomness(seed: 31)
    for app in try ExampleApps.all.map({ try AppDefinition($0) }) {
      for packed in try samples(app) {
        for _ in 0..<30 {
          var changed = Array(packed.dropLast(PackedFormat.checksumSize))
          for _ in 0...random.below(3) { changed[random.below(changed.count)] = UInt8(random.below(256)) }
          let sum = changed.withUnsafeBytes { checksum($0) }
          withUnsafeBytes(of: sum.littleEndian) { changed += $0 }
          guard let state = try? app.unpack(changed) else { continue }
          try audit(state, of: app)
          // The state may show and do anything but crash.
          guard let offer = try? AvailableIntents(app, state) else { continue }
          for intent in offer.advertised(&random) { _ = try? app.perform(intent, on: changed) }
        }
      }
    }
  }

  @Test func `random bytes are an error`() throws {
    var random = Randomness(seed: 32)
    let app = try AppDefinition(ExampleApps.shop)
    for length in 0..<2000 {
      let bytes = (0..<(length % 200)).map { _ in UInt8(random.below(256)) }
      #expect(throws: PackingError.self) { try app.unpack(bytes) }
    }
  }

  @Test func `a session of another app and one of a changed app are different errors`() throws {
    let shop = try AppDefinition(ExampleApps.shop)
    let packed = try shop.begin().packed
    #expect(throws: PackingError.otherApp("shop")) { try AppDefinition(ExampleApps.tabs).unpack(packed) }
    let tabs = MigrationObstacle.unknown(PackedName(.coordinator, "tabs", version: 1))
    for version in 1...2 {
      let other = App("shop", title: "Shop", version: version) { Lonely() }
      #expect(throws: PackingError.cannotBeMigrated(tabs)) { try AppDefinition(other).unpack(packed) }
    }
  }

  @Test func `a pending intent behind a missing guard is an error`() throws {
    var session = try Session(Vault.app)
    try session.act("safe")
    let state = try session.state
    let pending = try #require(state.pending)
    for (guardian, index) in [
      (pending.guardian, 1), (pending.guardian, Int.max), (NodeID(99), 0), (state.nodes[1].id, 0),
    ] {
      var changed = state
      changed.pending?.blocker = GuardID(guardian: guardian, index: index)
      #expect(throws: PackingError.self) { try session.app.unpack(session.app.pack(changed)) }
    }
  }

  @Test func `a session without free ids or revisions is an error`() throws {
    let app = try AppDefinition(Vault.app)
    let state = try app.begin().state
    var last = state
    last.revision = .max
    var full = state
    full.nextID = .max
    for changed in [last, full] { #expect(throws: PackingError.self) { try app.unpack(app.pack(changed)) } }
  }
}

private struct Lonely: Coordinator {
  static let name = "lonely"
  func start(_ nav: inout Navigator<Self>) { nav.push(Only()) }
  static let wiring = Wiring<Self>().shows(Only.self)

  struct Only: Screen {
    static let name = "only"
    static let title: Title<Self> = "Only"
  }
}

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
    try hold(30, again == state, "the state changes when it is packed again")
    try hold(30, app.pack(again) == packed, "the state is not packed canonically")
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
  func `a version that no build has is an error`(name: String) throws {
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
