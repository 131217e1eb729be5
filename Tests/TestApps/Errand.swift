package import Navigation
package import Sessions
package import Synchronization

/// An app that stands for the definitions of a flow. A fake compiler makes it from lines such as `greeting: Hello`.
package enum Errand {
  /// Compiles the lines of `flow.yaml`: `app`, `version`, `greeting`, `carry` with versions, and `street: no` for an app
  /// without the screen `street`. The line `fault: TEXT` is a fault.
  package static let compile: DefinitionCompiler = { source, limits in
    compilations.withLock { $0[source.digest, default: 0] += 1 }
    guard let main = source.files.first(where: { $0.path == "flow.yaml" }) else {
      throw Fault(description: "flow.yaml:1:1: error: There is no flow.yaml.")
    }
    var lines: [String: String] = [:]
    for line in String(decoding: main.bytes, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      if parts.count == 2 { lines[String(parts[0])] = String(parts[1].drop { $0 == " " }) }
    }
    if let fault = lines["fault"] { throw Fault(description: "flow.yaml:1:1: error: \(fault)") }
    guard let name = lines["app"] else { throw Fault(description: "flow.yaml:1:1: error: The key app is missing.") }
    let services = Words(greeting: lines["greeting"] ?? "Hello")
    let version = lines["version"].flatMap { Int($0) } ?? 1
    var app =
      lines["street"] == "no"
      ? App(name, title: Text(name), version: version, services: services) { ShortErrandCoordinator() }
      : App(name, title: Text(name), version: version, services: services) { ErrandCoordinator() }
    app.carriesFrom = Set(lines["carry"]?.split(separator: " ").compactMap { Int($0) } ?? [])
    return try AppDefinition(app, limits: limits, digest: source.digest)
  }

  /// The number of compilations of each definition.
  package static let compilations = Mutex<[DefinitionDigest: Int]>([:])

  package static func source(_ lines: String...) -> DefinitionSource {
    DefinitionSource(files: [("flow.yaml", Array(lines.joined(separator: "\n").utf8))])
  }

  package struct Fault: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }
}

package struct Words: Sendable {
  let greeting: String
}

struct ErrandCoordinator: Coordinator {
  typealias Services = Words
  static let name = "errand"
  var steps = 0

  func start(_ nav: inout Navigator<Self>) { nav.push(Street(greeting: nav.services.greeting, steps: 0)) }

  static let wiring = Wiring<Self>()
    .shows(Street.self)
    .on(WalkOn.self) { me, _, nav in
      me.steps += 1
      nav.replaceTop(Street(greeting: nav.services.greeting, steps: me.steps))
    }
    .on(Remind.self) { _, _, nav in nav.schedule(Reminder(), after: .seconds(60)) }
    .on(Report.self) { _, _, nav in nav.perform(detached: SendReport()) }
    .on(GoHome.self) { _, _, nav in nav.finish() }
    .on(timer: Reminder.self) { me, _, nav in
      me.steps += 100
      // A command after finish is a fault.
      if nav.services.greeting == "Broken" { nav.finish() }
      nav.replaceTop(Street(greeting: nav.services.greeting, steps: me.steps))
    }
    .performs(detached: SendReport.self)
}

/// The same errand without its street.
struct ShortErrandCoordinator: Coordinator {
  typealias Services = Words
  static let name = "errand"
  var steps = 0

  func start(_ nav: inout Navigator<Self>) { nav.push(Door()) }

  static let wiring = Wiring<Self>().shows(Door.self).on(GoHome.self) { _, _, nav in nav.finish() }
}

package struct Street: Screen {
  package static let name = "street"
  package static let title: Title<Self> = "Street"
  package static let actions: [any Action.Type] = [WalkOn.self, Remind.self, Report.self, GoHome.self]
  package var greeting: String
  package var steps: Int
}

package struct Door: Screen {
  package static let name = "door"
  package static let title: Title<Self> = "Door"
  package static let actions: [any Action.Type] = [GoHome.self]

  package init() {}
}

struct WalkOn: Action {
  static let name = "walk"
  static let title: Text = "WalkOn"
}

struct Remind: Action {
  static let name = "remind"
  static let title: Text = "Remind me"
}

struct Report: Action {
  static let name = "report"
  static let title: Text = "Report"
}

package struct GoHome: Action {
  package static let name = "home"
  package static let title: Text = "Go home"

  package init() {}
}

struct Reminder: TimedEvent {
  static let name = "reminder"
}

/// A detached effect that notes the greeting of its definition.
package struct SendReport: Effect {
  package typealias Services = Words
  package static let name = "send-report"
  package static let reports = Mutex<[String]>([])

  package func run(_ context: EffectContext<Self>) async throws -> Bool {
    Self.reports.withLock { $0.append(context.services.greeting) }
    return true
  }
}
