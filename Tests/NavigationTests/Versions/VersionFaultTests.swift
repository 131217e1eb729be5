import Navigation
import Testing

/// Faults in versions and migrations, found when an app is registered.
@Suite struct VersionFaultTests {
  private func faults(_ app: App) throws -> [String] {
    try #require(throws: WiringFaults.self) { try AppDefinition(app) }.faults.map(\.description)
  }

  @Test func `a version below 1 is a fault`() throws {
    #expect(
      try faults(App("zero", title: "Zero") { Zero() }) == [
        "zero: The version is below 1. Versions count from 1.",
        "zero-screen: The version is below 1. Versions count from 1.",
        "zero-screen › migration past: The version is below 1. Versions count from 1.",
        "zero-prompt: The version is below 1. Versions count from 1.",
      ])
  }

  @Test func `two migrations of one name and version are a fault, in one type or in two`() throws {
    #expect(
      try faults(App("twice", title: "Twice") { Twice() }) == [
        "first › migration past: Version 3 has two migrations. The first is that of first.",
        "second › migration past: Version 2 has two migrations. The first is that of first.",
      ])
  }

  @Test func `a migration of a name that the app still has is a fault`() throws {
    #expect(
      try faults(App("living", title: "Living") { Living() }) == [
        "heir › migration elder: The app still has a screen of this name and version 2."
      ])
  }

  @Test func `a migration from a version that is not older is a fault`() throws {
    #expect(
      try faults(App("ahead", title: "Ahead") { Ahead() }) == [
        "ahead › migration ahead: The migration is not for a version below 2, the current one.",
        "ahead › migration ahead: The migration is not for a version below 2, the current one.",
      ])
  }

  @Test func `a migration from an invalid name is a fault`() throws {
    #expect(
      try faults(App("misnamed", title: "Misnamed") { Misnamed() }) == [
        "misnamed › migration Old Name: The name is not valid. Use 1 to 64 lower-case letters, digits and hyphens."
      ])
  }

  @Test func `migrations of another kind, and of older versions, are not a fault`() throws {
    _ = try AppDefinition(App("sound", title: "Sound") { Sound() })
  }
}

private struct Zero: Coordinator {
  static let name = "zero"
  static let version = 0
  func start(_ nav: inout Navigator<Self>) { nav.push(ZeroScreen()) }
  static let wiring = Wiring<Self>().shows(ZeroScreen.self).asks(ZeroPrompt.self)

  struct ZeroScreen: Screen {
    static let name = "zero-screen"
    static let title: Title<Self> = "Zero"
    static let version = -1
    static let migrations: [Migration<Self>] = [Migration("past", versions: 0...3) { _ in ZeroScreen() }]
  }
  struct ZeroPrompt: Prompt {
    static let name = "zero-prompt"
    static let version = 0
    static let actions: [any Action.Type] = []
    var title: Text { "Zero" }
    var message: Text { "" }
  }
}

private struct Twice: Coordinator {
  static let name = "twice"
  func start(_ nav: inout Navigator<Self>) { nav.push(First()) }
  static let wiring = Wiring<Self>().shows(First.self).shows(Second.self)

  struct First: Screen {
    static let name = "first"
    static let title: Title<Self> = "First"
    static let migrations: [Migration<Self>] = [
      Migration("past", versions: 2...3) { _ in First() }, Migration("past", versions: 3...4) { _ in First() },
    ]
  }
  struct Second: Screen {
    static let name = "second"
    static let title: Title<Self> = "Second"
    static let migrations: [Migration<Self>] = [
      Migration("past", version: 2) { _ in Second() }, Migration("past", version: 1) { _ in Second() },
    ]
  }
}

private struct Living: Coordinator {
  static let name = "living"
  func start(_ nav: inout Navigator<Self>) { nav.push(Elder()) }
  static let wiring = Wiring<Self>().shows(Elder.self).shows(Heir.self)

  struct Elder: Screen {
    static let name = "elder"
    static let title: Title<Self> = "Elder"
    static let version = 2
  }
  struct Heir: Screen {
    static let name = "heir"
    static let title: Title<Self> = "Heir"
    static let migrations: [Migration<Self>] = [Migration("elder", versions: 1...2) { _ in Heir() }]
  }
}

private struct Ahead: Coordinator {
  static let name = "ahead"
  static let version = 2
  static let migrations: [Migration<Self>] = [2, 3].map { Migration(version: $0) { _ in Ahead() } }
  func start(_ nav: inout Navigator<Self>) {}
  static let wiring = Wiring<Self>()
}

private struct Misnamed: Coordinator {
  static let name = "misnamed"
  static let migrations: [Migration<Self>] = [Migration("Old Name", version: 1) { _ in Misnamed() }]
  func start(_ nav: inout Navigator<Self>) {}
  static let wiring = Wiring<Self>()
}

private struct Sound: Coordinator {
  static let name = "sound"
  static let version = 3
  static let migrations: [Migration<Self>] = [
    Migration(version: 1) { _ in Sound() }, Migration(version: 2) { _ in Sound() },
    Migration("page", version: 1) { _ in Sound() },
  ]
  func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
  static let wiring = Wiring<Self>().shows(Page.self).shows(Leaf.self)

  struct Page: Screen {
    static let name = "page"
    static let title: Title<Self> = "Page"
    static let version = 2
  }
  struct Leaf: Screen {
    static let name = "leaf"
    static let title: Title<Self> = "Leaf"
    static let migrations: [Migration<Self>] = [Migration("page", version: 1) { _ in Leaf() }]
  }
}
