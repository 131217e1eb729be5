import Observability
import TestApps
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
    let source = Errand.source("app: errand", "greeting: held")
    let held = try compilation.definition(from: source)
    cache.insert(held, from: source)
    for number in 0..<DefinitionCache.limit + 10 {
      let source = Errand.source("app: errand", "greeting: \(number)")
      cache.insert(try compilation.definition(from: source), from: source)
    }
    #expect(cache.count == DefinitionCache.limit + 1)
    #expect(cache[try #require(held.digest)] === held)
    #expect(cache[Errand.source("app: errand", "greeting: 0").digest] == nil)
  }

  @Test func `24 edits of a flow of a MiB stay within the memory of the cache`() throws {
    let compilation = FlowCompilation(compiler: Errand.compile)
    let registry = AppRegistry([], compilation, FlowMetrics(PrometheusRegistry()))
    let kept = DefinitionCache.sizeLimit / (DefinitionCache.sizeFactor << 20)
    for number in 0..<24 {
      let lines = "app: errand\ngreeting: \(number)\n"
      let source = Errand.source(lines + String(repeating: "x", count: (1 << 20) - lines.utf8.count))
      registry.update(installing: [.init(try compilation.definition(from: source), from: source)])
      #expect(registry.definitionSize <= DefinitionCache.sizeLimit)
    }
    #expect(registry.definitionCount == kept && registry.definitionSize == (kept * DefinitionCache.sizeFactor) << 20)
  }

  @Test func `a definition that is larger than the cache is in memory as long as something holds it`() throws {
    let compilation = FlowCompilation(compiler: Errand.compile)
    var cache = DefinitionCache()
    let small = Errand.source("app: errand")
    cache.insert(try compilation.definition(from: small), from: small)
    let smallSize = cache.size
    let count = DefinitionCache.sizeLimit / DefinitionCache.sizeFactor
    let large = DefinitionSource(
      files: small.files + [(path: "texts/en.yaml", bytes: [UInt8](repeating: 0x78, count: count))])
    var held: AppDefinition? = try compilation.definition(from: large)
    if let held { cache.insert(held, from: large) }
    #expect(cache[large.digest] != nil && cache.recentSize == smallSize)
    held = nil
    #expect(held == nil && cache[large.digest] == nil && cache[small.digest] != nil && cache.size == smallSize)
  }

  @Test func `the faults of definitions that are kept have a maximum size`() {
    var cache = DefinitionCache()
    for number in 0..<UInt8(DefinitionCache.faultLimit - 1) {
      let digest = DefinitionSource(files: [("flow.yaml", [number])]).digest
      _ = cache.insert(fault: String(repeating: "long fault ", count: 10_000), of: digest)
    }
    #expect(cache.faults.values.allSatisfy { $0.utf8.count == DefinitionCache.faultSizeLimit })
    #expect(cache.faults.count == DefinitionCache.faultLimit - 1)
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
