import Foundation
import Synchronization
import Testing
import Values

@testable import Navigation

/// A session in memory keeps its coordinators and screens decoded.
@Suite struct KeptValueTests {
  private let app: AppDefinition

  init() throws { app = try AppDefinition(App("ledger", title: "Ledger") { Ledger() }) }

  private func act(_ name: String, on state: SessionState) throws(Rejection) -> SessionState {
    try app.perform(.action(name: name, input: .emptyObject), on: state)
  }

  @Test func `a coordinator of a new session is never decoded`() throws {
    try DecodeCount.$current.withValue(DecodeCount()) {
      var state = try app.create()
      for name in ["enter", "look", "enter"] { state = try act(name, on: state) }
      #expect(try app.view(of: state).data == ["entries": 2])
      #expect(DecodeCount.current.value == 0)
    }
  }

  @Test func `a coordinator of a stored session is decoded at its first use only`() throws {
    let packed = app.pack(try act("enter", on: try app.create()))
    try DecodeCount.$current.withValue(DecodeCount()) {
      let stored = try app.unpack(packed)
      #expect(DecodeCount.current.value == 0)
      var state = stored
      for name in ["look", "enter", "look"] { state = try act(name, on: state) }
      #expect(try app.view(of: state).data == ["entries": 2])
      #expect(try app.view(of: stored).data == ["entries": 1])
      #expect(DecodeCount.current.value == 1)
    }
  }

  @Test func `a coordinator that a handler leaves alone is not encoded again`() throws {
    let state = try act("enter", on: try app.create())
    #expect(try act("look", on: state).nodes[0].state.isSame(as: state.nodes[0].state))
    #expect(try !act("enter", on: state).nodes[0].state.isSame(as: state.nodes[0].state))
  }

  @Test func `a change that is encoded as before keeps the value`() throws {
    let state = try app.create()
    #expect(try act("scribble", on: state).nodes[0].state.isSame(as: state.nodes[0].state))
  }

  @Test func `threads may use a stored session for the first time at once`() async throws {
    let packed = app.pack(try act("enter", on: try app.create()))
    for _ in 0..<100 {
      let stored = try app.unpack(packed)
      await withTaskGroup(of: Value?.self) { group in
        for _ in 0..<8 { group.addTask { [app] in try? app.view(of: stored).data } }
        for await data in group { #expect(data == ["entries": 1]) }
      }
    }
  }

  #if DEBUG
    @Test func `a handler that changes an object of its coordinator is reported`() throws {
      let state = try app.create()
      #expect {
        _ = try act("share", on: state)
      } throws: { error in
        guard case .fault(.codeFailed(let place, let error))? = error as? Rejection else { return false }
        return place == "ledger › ledger › action share" && error.contains("refers to")
      }
    }
  #endif
}

/// Counts the decodings of a test.
private final class DecodeCount: Sendable {
  @TaskLocal static var current = DecodeCount()
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  func add() { count.withLock { $0 += 1 } }
}

private struct Ledger: Coordinator {
  /// An object, which no coordinator should have.
  final class Seal: Codable, Sendable {
    private let stamp: Mutex<Int>

    init() { stamp = Mutex(0) }

    init(from decoder: any Decoder) throws { stamp = Mutex(try decoder.singleValueContainer().decode(Int.self)) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(stamp.withLock { $0 })
    }

    func press() { stamp.withLock { $0 += 1 } }
  }

  static let name = "ledger"
  var entries = 0
  var seal = Seal()
  /// Not stored.
  var scribbles = 0

  private enum CodingKeys: CodingKey { case entries, seal }

  init() {}

  init(from decoder: any Decoder) throws {
    DecodeCount.current.add()
    let container = try decoder.container(keyedBy: CodingKeys.self)
    entries = try container.decode(Int.self, forKey: .entries)
    seal = try container.decode(Seal.self, forKey: .seal)
  }

  func start(_ nav: inout Navigator<Self>) { nav.push(LedgerPage()) }

  static let wiring = Wiring<Self>()
    .shows(LedgerPage.self) { me, page in page.entries = me.entries }
    .on(Enter.self) { me, _, _ in me.entries += 1 }
    .on(Look.self) { _, _, _ in }
    .on(Scribble.self) { me, _, _ in me.scribbles += 1 }
    .on(Share.self) { me, _, _ in me.seal.press() }
}

private struct LedgerPage: Screen {
  static let name = "page"
  static let title: Title<Self> = "Page"
  static let actions: [any Action.Type] = [Enter.self, Look.self, Scribble.self, Share.self]
  var entries = 0
}

private struct Enter: Action {
  static let name = "enter"
  static let title: Text = "Enter"
}

private struct Look: Action {
  static let name = "look"
  static let title: Text = "Look"
}

private struct Scribble: Action {
  static let name = "scribble"
  static let title: Text = "Scribble"
}

private struct Share: Action {
  static let name = "share"
  static let title: Text = "Share"
}
