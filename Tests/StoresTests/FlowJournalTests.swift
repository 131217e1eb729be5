import Testing
import Values

@testable import Navigation
@testable import Sessions

/// The stored forms of sessions and definitions of flows.
@Suite struct FlowJournalTests {
  private let app: AppDefinition

  init() throws {
    let source = Errand.source("app: errand")
    app = try FlowCompilation(compiler: Errand.compile).definition(from: source)
  }

  private func entry(_ revision: UInt64, _ kind: JournalEntry.Kind, _ name: String) -> JournalEntry {
    JournalEntry(
      revision: revision, at: Timestamp(milliseconds: 1), kind: kind, name: name,
      input: .object([("pin", Value("1234"))]), screen: "street")
  }

  @Test func `the history before a move shows no input, because its definition declares the secrets`() throws {
    let pin = App("vault", title: "Vault") { PinCoordinator() }
    let vault = try AppDefinition(pin)
    let open = entry(1, .action, "enter")
    #expect([open].hidingSecrets(of: vault)[0].input["pin"]?.text == "1234")
    let entries = [open, entry(2, .carry, "carry"), entry(3, .action, "enter")]
    let shown = entries.hidingSecrets(of: vault)
    #expect(shown[0].input["pin"]?.text != "1234")
    #expect(shown[2].input["pin"]?.text == "1234")
    #expect(shown.map(\.kind) == [.action, .carry, .action])
  }

  @Test func `a definition's source is decoded from its bytes, and from no others`() throws {
    let source = DefinitionSource(files: [("texts/en.yaml", [1, 2]), ("flow.yaml", [])])
    #expect(source.files.map(\.path) == ["flow.yaml", "texts/en.yaml"])
    let bytes = source.encoded()
    let decoded = try DefinitionSource(decoding: bytes)
    #expect(decoded == source && decoded.files[1].bytes == [1, 2])
    for count in 0..<bytes.count {
      #expect(throws: ValueError.self) { try DefinitionSource(decoding: Array(bytes[..<count])) }
    }
    #expect(throws: ValueError.self) { try DefinitionSource(decoding: bytes + [0]) }
    #expect(throws: ValueError.self) { try DefinitionSource(decoding: [9] + bytes.dropFirst()) }
    // Paths and bytes both count, and so does the border between them.
    let others = [[("flow.yaml", [UInt8(1)])], [("flow.yam", Array("l".utf8))], []].map { DefinitionSource(files: $0) }
    #expect(Set(others.map(\.digest)).count == 3 && !others.map(\.digest).contains(source.digest))
    #expect(DefinitionDigest(hexadecimal: source.digest.hexadecimal) == source.digest)
    #expect("\(source.digest)".count == 12)
  }

  @Test func `the version of an app is read from its packed bytes`() throws {
    let state = try app.create(input: .emptyObject, link: nil, environment: .init(), stamp: StepStamp())
    #expect(app.packSplit(state).packedAppVersion == 1)
    #expect(SplitBytes([1, 2]).packedAppVersion == nil)
  }

  @Test func `definitions beyond the cache's limit stay as long as something holds them`() throws {
    let compilation = FlowCompilation(compiler: Errand.compile)
    var cache = DefinitionCache()
    let held = try compilation.definition(from: Errand.source("app: errand", "greeting: held"))
    cache.insert(held)
    for number in 0..<DefinitionCache.limit + 10 {
      cache.insert(try compilation.definition(from: Errand.source("app: errand", "greeting: \(number)")))
    }
    #expect(cache.count == DefinitionCache.limit + 1)
    #expect(cache[try #require(held.digest)] === held)
    #expect(cache[Errand.source("app: errand", "greeting: 0").digest] == nil)
  }
}

private struct PinCoordinator: Coordinator {
  static let name = "pin"
  static let wiring = Wiring<Self>().shows(PinScreen.self).on(EnterPin.self) { _, _, _ in }
  func start(_ nav: inout Navigator<Self>) { nav.push(PinScreen()) }
}

private struct PinScreen: Screen {
  static let name = "pin"
  static let title: Title<Self> = "PIN"
  static let actions: [any Action.Type] = [EnterPin.self]
}

private struct EnterPin: Action {
  static let name = "enter"
  static let title: Text = "Enter"
  @Field("PIN") var pin: String
}
