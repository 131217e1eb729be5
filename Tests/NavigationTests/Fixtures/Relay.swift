import Navigation

/// An app whose coordinators have no screens of their own: all entries of a stack belong to the current leg.
enum Relay {
  static let app = App("relay", title: "Relay") { RelayCoordinator() }
}

struct RelayCoordinator: Coordinator {
  static let name = "relay"
  var laps = 0

  func start(_ nav: inout Navigator<Self>) { nav.start(Leg(number: 1)) }

  static let wiring = Wiring<Self>()
    .shows(Stretch.self)
    .starts(
      Leg.self,
      finished: { _, next, nav in
        switch next.way {
        case .replace: nav.replaceTop(Stretch(number: next.number + 1))
        case .start: nav.start(Leg(number: next.number + 1))
        case .end: nav.finish()
        }
      }
    )
    .starts(Lap.self, finished: { me, _, _ in me.laps += 1 })
    .on(PassOn.self) { _, _, nav in nav.finish() }
    .on(RunLap.self) { _, _, nav in nav.present(Lap()) }
}

/// A relay with its legs in a modal.
struct Lap: Coordinator {
  static let name = "lap"
  func start(_ nav: inout Navigator<Self>) { nav.start(Leg(number: 11)) }
  static let wiring = Wiring<Self>()
    .starts(
      Leg.self,
      finished: { _, next, nav in
        if next.number > 11 { nav.finish() } else { nav.start(Leg(number: next.number + 1)) }
      })
}

struct Leg: Coordinator {
  struct Result: Codable {
    var number: Int
    var way: PassOn.Way
  }
  static let name = "leg"
  var number: Int

  func start(_ nav: inout Navigator<Self>) { nav.replaceTop(Stretch(number: number)) }

  static let wiring = Wiring<Self>()
    .shows(Stretch.self)
    .on(PassOn.self) { me, action, nav in nav.finish(Result(number: me.number, way: action.way)) }
}

struct Stretch: Screen {
  static let name = "stretch"
  static let title = Title<Self> { "Stretch \($0.number)" }
  static let actions: [any Action.Type] = [PassOn.self, RunLap.self]
  var number: Int
}

struct PassOn: Action {
  enum Way: String, FieldChoice { case replace, start, end }
  static let name = "pass-on"
  static let title: Text = "Pass on"
  @Field("Way") var way: Way
}

struct RunLap: Action {
  static let name = "run-lap"
  static let title: Text = "Run a lap"
}
