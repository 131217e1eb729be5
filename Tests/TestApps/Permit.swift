internal import HTTPServices
package import Navigation
package import Values

/// The journey of the flow `Tests/Flows/cases/permit` in Swift: a task list, pages that ask a backend, one that asks
/// nothing, and an action beside those of the journey.
package enum Permit {
  package static let app = App("permit", title: "Parking permit") { Application() }
  /// Sections and pages with faults.
  package static let faulty = App("permit", title: "Parking permit") { Faulty() }

  struct Application: Coordinator {
    static let name = "application"
    var zone = "unknown"
    var discount = "none"
    var plate: String?
    var owner: String?
    var kind: Kind?
    var code: String?
    var residents: [Resident]?

    func start(_ nav: inout Navigator<Self>) {}

    static let journey = Journey<Self>(
      tasks: "tasks", title: "Your application", content: { _ in [.text("Answer all sections.")] }
    ) {
      Section("car", title: "Your car") {
        Page("plate") { Question(\.plate, Field("Number plate", length: 1...20)) }
          .verified(by: FindCar.self) { answers in answers.plate.map { FindCar(plate: $0) } }
          .actions([Help.self])
        Page("owner") { Question(\.owner, Field("Owner", length: 1...80)) }
      }
      Section("permit", title: "Your permit") {
        Page("rules", title: "The rules")
          .content { [.facts([.init("Zone", Text($0.zone))])] }
          .actions([Help.self])
        Page("kind", title: "Kind") {
          Question(\.kind, Field("How long?", showsAll: true))
          Question(\.code, Field("Code", length: 1...80)).when { $0.kind == .day }
        }
        .verified(by: Redeem.self, title: "One minute") { answers in answers.code.map { Redeem(code: $0) } }
      }
      Section("others", title: "Others") {
        Page(
          "residents",
          Items(\.residents, "Residents", count: 0...3, title: { Text($0.first ?? "") }) {
            Question(\.first, Field("First name", length: 1...80))
          }
        )
        .actions([Help.self])
      }
    }
    .check(actions: [Help.self]) { [.facts([.init("Discount", Text($0.discount))])] }
    .progress(false)

    static let wiring = Wiring<Self>()
      .journey(journey) { _, nav in
        nav.push(Sending())
        nav.perform { Apply(answers: $0) }
      }
      .shows(Advice.self).shows(Sending.self).shows(Away.self).shows(Sent.self)
      .on(Help.self) { _, _, nav in nav.push(Advice()) }
      .performs(
        FindCar.self,
        done: { me, car, _ in
          me.zone = car.zone
          me.owner = me.owner ?? car.owner
        },
        failed: { _, failure, nav in
          if failure.status == 404 { nav.refuse("We do not know this number.", field: "plate") }
        }
      )
      .performs(Redeem.self, done: { me, offer, _ in me.discount = offer.discount }, failed: { _, _, _ in })
      .performs(
        Apply.self, done: { _, _, nav in nav.setStack([Sent()]) }, failed: { _, _, nav in nav.replaceTop(Away()) })
  }

  struct Faulty: Coordinator {
    static let name = "faulty"
    var plate: String?
    var count: Int?
    var residents: [Resident]?

    func start(_ nav: inout Navigator<Self>) {}

    static let platePage = Page<Self>("plate") { Question(\.plate, Field("Number plate")) }
      .verified(by: Redeem.self) { _ in nil }

    static let journey = Journey<Self>(tasks: "tasks") {
      Section("car", title: "Your car") { platePage }
      Section("car", title: "Your other car") {
        platePage
        Page("rules", title: "The rules").verified(by: FindCar.self) { _ in nil }
        Page("empty", title: "Empty") {}
      }
      Section("Others", title: "Others") {
        Page("count") { Question(\.count, Field("How many people?")) }
        Page(
          "residents",
          Items(\.residents, "Residents", count: { $0.count }, title: { Text($0.first ?? "") }) {
            Question(\.first, Field("First name"))
          }
        )
        .actions([Help.self])
        Page(exit: "end", title: "The end").actions([Help.self])
      }
      Section("none", title: "None") {}
    }

    static let wiring = Wiring<Self>()
      .journey(journey) { _, _ in }
      .performs(FindCar.self, done: { _, _, _ in }, failed: { _, _, _ in })
  }

  // MARK: Answers

  enum Kind: String, FieldChoice {
    case year, day
    var title: Text {
      switch self {
      case .year: "A year"
      case .day: "A day"
      }
    }
  }

  struct Resident: Codable {
    var first: String?
  }

  // MARK: Effects

  package struct FindCar: Effect {
    package struct Output: Codable, Sendable {
      var owner: String
      var zone: String

      package init(owner: String, zone: String) { (self.owner, self.zone) = (owner, zone) }
    }
    package static let name = "registry-find"
    package static let httpServices = ["registry"]
    var plate: String

    package func run(_ context: EffectContext<Self>) async throws -> Output {
      try await context.service("registry").post("/cars", self)
    }
  }

  package struct Redeem: Effect {
    package struct Output: Codable, Sendable {
      var discount: String

      package init(discount: String) { self.discount = discount }
    }
    package static let name = "registry-redeem"
    package static let httpServices = ["registry"]
    var code: String

    package func run(_ context: EffectContext<Self>) async throws -> Output {
      try await context.service("registry").post("/codes", self)
    }
  }

  package struct Apply: Effect {
    package static let name = "office-apply"
    package static let httpServices = ["office"]
    package var answers: Value

    package func run(_ context: EffectContext<Self>) async throws -> Nothing {
      try await context.service("office").post("/applications", answers)
    }
  }

  // MARK: Screens and actions

  struct Help: Action {
    static let name = "help"
    static let title: Text = "Help"
  }

  struct Advice: Screen {
    static let name = "advice"
    static let title: Title<Self> = "Advice"
  }

  struct Sending: Screen {
    static let name = "sending"
    static let title: Title<Self> = "One moment"
    static let leavePolicy = LeavePolicy.sealed
  }

  struct Away: Screen {
    static let name = "away"
    static let title: Title<Self> = "The office cannot be reached"
  }

  struct Sent: Screen {
    static let name = "sent"
    static let title: Title<Self> = "The application is sent"
    static let leavePolicy = LeavePolicy.sealed
  }
}
