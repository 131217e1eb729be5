import Navigation

/// The differences of a build of the desk from the plain one, in the declarations of its root coordinator and its form.
enum DeskChange {
  case noCard, noQuery, noClerk, noGuard, noLink, noGo, narrowGo, newGuard
}

/// One build of the desk, an app whose builds differ from the plain one in one point each.
protocol DeskBuild: Sendable {
  associatedtype Card: DeskCard = PlainCard
  static var version: Int { get }
  static var changes: Set<DeskChange> { get }
}

extension DeskBuild {
  static var version: Int { 2 }
  static var changes: Set<DeskChange> { [] }

  static var app: App {
    App("desk", title: "Desk", version: version, links: changes.contains(.noLink) ? [] : [DeskSafeLink.self]) {
      Desk<Self>()
    }
  }

  static func session() throws -> Session { try Session(app) }

  /// Returns the obstacle that this build reports for the session of another one.
  static func obstacle(to packed: [UInt8]) throws -> MigrationObstacle? {
    let app = try AppDefinition(app)
    do throws(PackingError) {
      _ = try app.unpack(packed)
    } catch .cannotBeMigrated(let obstacle) {
      return obstacle
    }
    return nil
  }
}

/// The first screen, whose shape depends on the build.
protocol DeskCard: Screen {
  init()
}

extension DeskCard {
  static var title: Title<Self> { "Card" }
  static var actions: [any Action.Type] { [Fetch.self, OpenDeskSafe.self] }
}

struct PlainDesk: DeskBuild { static var version: Int { 1 } }

struct PlainCard: DeskCard {
  static let name = "card"
  var number = 7
}

struct Desk<Build: DeskBuild>: Coordinator {
  static var name: String { "desk" }
  var isOpen = false

  func start(_ nav: inout Navigator<Self>) { nav.push(Build.Card()) }

  static var wiring: Wiring<Self> {
    let changes = Build.changes
    var wiring = Wiring<Self>()
      .shows(DeskForm<Build>.self)
      .starts(DeskSafe.self)
      // The app still has the declarations that the root coordinator has dropped.
      .starts(DeskAnnex<Build>.self)
      .on(Fetch.self) { _, action, nav in
        switch action.what {
        case .card: nav.push(Build.Card())
        case .form: nav.push(DeskForm<Build>())
        case .query: nav.ask(DeskQuery())
        case .clerk: nav.start(DeskClerk())
        }
      }
      .on(OpenDeskSafe.self) { _, _, nav in nav.present(DeskSafe()) }
      .on(Call.self) { me, _, nav in
        me.isOpen = true
        nav.pop()
      }
    if !changes.contains(.noCard) { wiring = wiring.shows(Build.Card.self) }
    if !changes.contains(.noQuery) { wiring = wiring.asks(DeskQuery.self) }
    if !changes.contains(.noClerk) { wiring = wiring.starts(DeskClerk.self) }
    if changes.contains(.narrowGo) {
      wiring = wiring.on(NarrowGo.self) { _, _, nav in nav.pop() }
    } else if !changes.contains(.noGo) {
      wiring = wiring.on(Go.self) { _, _, nav in nav.pop() }
    }
    if changes.contains(.newGuard) {
      wiring = wiring.guards(screen: DeskForm<Build>.self, until: \.isOpen, otherwise: { _, _ in })
    }
    if changes.contains(.noGuard) { return wiring }
    return wiring.guards(DeskSafe.self, until: \.isOpen, otherwise: { _, nav in nav.start(DeskClerk()) })
  }
}

struct DeskAnnex<Build: DeskBuild>: Coordinator {
  static var name: String { "annex" }
  func start(_ nav: inout Navigator<Self>) { nav.push(Build.Card()) }
  static var wiring: Wiring<Self> {
    Wiring<Self>().shows(Build.Card.self).asks(DeskQuery.self).starts(DeskClerk.self)
  }
}

struct DeskClerk: Coordinator {
  static let name = "clerk"
  func start(_ nav: inout Navigator<Self>) { nav.push(Counter()) }
  static let wiring = Wiring<Self>().shows(Counter.self)

  struct Counter: Screen {
    static let name = "counter"
    static let title: Title<Self> = "Counter"
    static let actions: [any Action.Type] = [Call.self]
  }
}

struct DeskSafe: Coordinator {
  static let name = "safe"
  func start(_ nav: inout Navigator<Self>) { nav.push(Inside()) }
  static let wiring = Wiring<Self>().shows(Inside.self)

  struct Inside: Screen {
    static let name = "inside"
    static let title: Title<Self> = "Inside"
  }
}

/// A screen with the policy confirm.
struct DeskForm<Build: DeskBuild>: Screen {
  static var name: String { "form" }
  static var title: Title<Self> { "Form" }
  static var actions: [any Action.Type] {
    if Build.changes.contains(.noGo) { return [] }
    return Build.changes.contains(.narrowGo) ? [NarrowGo.self] : [Go.self]
  }
  static var leavePolicy: LeavePolicy { .confirm }
}

struct DeskQuery: Prompt {
  static let name = "query"
  static let actions: [any Action.Type] = [OpenDeskSafe.self]
  var title: Text { "Open the safe?" }
  var message: Text { "It is heavy." }
}

private struct Fetch: Action {
  enum What: String, FieldChoice { case card, form, query, clerk }
  static let name = "fetch"
  static let title: Text = "Fetch"
  @Field("What") var what: What
}

private struct OpenDeskSafe: Action {
  static let name = "open-safe"
  static let title: Text = "Open the safe"
}

private struct Call: Action {
  static let name = "call"
  static let title: Text = "Call"
}

private struct Go: Action {
  static let name = "go"
  static let title: Text = "Go"
  @Field("Steps", in: 1...9) var steps: Int
}

private struct NarrowGo: Action {
  static let name = "go"
  static let title: Text = "Go"
  @Field("Steps", in: 1...3) var steps: Int
}

private struct DeskSafeLink: Link {
  static let pattern = "/safe"
  var steps: [Step] { [.action(OpenDeskSafe())] }
}
