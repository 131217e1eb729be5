internal import HTTPServices
internal import Languages
package import Navigation
internal import Values

/// The journey of the flow `Tests/Flows/cases/outbreak` in Swift: the report of a care home.
package enum Outbreak {
  package static let app = App("outbreak", title: Text(key: "outbreak.title")) { Report() }.texts(texts)

  private static let texts = TextCatalogue(
    fallback: "en",
    [
      "en": [
        "outbreak.title": "Report an outbreak", "setting.title": "What kind of home is it?",
        "setting.home": "Care home", "setting.living": "Supported living", "setting.other": "Other",
        "setting.missing": "Choose the kind of home.", "other.long": "Write 80 characters at most.",
        "other.title": "Which kind?", "other.missing": "Write which kind of home it is.",
        "positive.title": "Is any test positive?", "positive.missing": "Say whether a test is positive.",
        "infections.title": "What was found?", "infections.missing": "Choose what was found.",
        "two-covid.title": .plural(
          "count", exactly: [1: "Are there two cases or more?"], other: "Are there two cases of COVID-19 or more?"),
        "two-covid.missing": "Say whether there are two cases.", "details.title": "About the cases",
        "details.today": "Today", "within.title": "Did they begin within five days?",
        "within.missing": "Say whether they began within five days.",
        "spread.title": "Can one have infected the other?",
        "spread.missing": "Say whether one can have infected the other.",
        "two-ari.title": "Do two people or more have symptoms?",
        "two-ari.missing": "Say whether two people have symptoms.", "people.title": "People with symptoms",
        "people.few": "Add at least one person.", "people.many": "You can add 30 people.", "people.name": "Name",
        "people.name-missing": "Write the name.", "people.started": "First day with symptoms",
        "people.started-missing": "Enter the first day.", "people.future": "The day cannot be in the future.",
        "people.early": "The day is at most 30 days ago.", "people.vaccinated": "Vaccinated",
        "exit.title": "No report is needed", "exit.text": "You do not have to tell the authority.",
        "sending.title": "One moment", "away.title": "The authority cannot be reached", "away.again": "Try again",
        "sent.title": "The report is sent", "sent.reference": "Reference",
      ]
    ])

  struct Report: Coordinator {
    static let name = "report"
    var reference = ""
    var setting: Setting?
    var other: String?
    var positive: YesNo?
    var infections: [Infection]?
    var twoCovid: YesNo?
    var within: Unsure?
    var spread: Unsure?
    var twoAri: YesNo?
    var people: [Person]?

    /// Whether an answer ends the report.
    var isNotNeeded: Bool { twoCovid == .no || twoAri == .no || within == .no || spread == .no }

    func start(_ nav: inout Navigator<Self>) {}

    static let journey = Journey<Self> {
      Page("setting", title: "Setting") {
        Question(
          \.setting,
          Field(
            Text(key: "setting.title"), showsAll: true,
            errors: [.required: Text(key: "setting.missing"), .choices: Text(key: "setting.missing")]))
        Question(
          \.other,
          Field(
            Text(key: "other.title"), length: 1...80,
            errors: [.required: Text(key: "other.missing"), .maximumLength: Text(key: "other.long")])
        )
        .when { $0.setting == .other }
      }
      Page("positive") {
        Question(
          \.positive,
          Field(Text(key: "positive.title"), showsAll: true, errors: [.required: Text(key: "positive.missing")]))
      }
      Page("infections") {
        Question(
          \.infections,
          Field(
            Text(key: "infections.title"), count: 1...3,
            errors: [.required: Text(key: "infections.missing"), .minimumItems: Text(key: "infections.missing")]))
      }
      .when { $0.positive == .yes }
      Page("two-covid") {
        Question(
          \.twoCovid,
          Field("Two covid", showsAll: true, errors: [.required: Text(key: "two-covid.missing")])
        )
        .title { Text(key: "two-covid.title", ["count": .integer($0.infections?.count ?? 0)]) }
      }
      .when { $0.infections?.contains(.covid) ?? false }
      Page("details", title: Text(key: "details.title")) {
        Question(
          \.within,
          Field(Text(key: "within.title"), showsAll: true, errors: [.required: Text(key: "within.missing")]))
        Question(
          \.spread,
          Field(Text(key: "spread.title"), showsAll: true, errors: [.required: Text(key: "spread.missing")]))
      }
      .when { $0.twoCovid == .yes }
      .content { [.facts([.init(Text(key: "details.today"), .date($0.today))])] }
      Page("two-ari") {
        Question(
          \.twoAri,
          Field(Text(key: "two-ari.title"), showsAll: true, errors: [.required: Text(key: "two-ari.missing")]))
      }
      .when { $0.positive == .no || $0.infections.map { !$0.contains(.covid) } ?? false }
      Page(exit: "not-needed", title: Text(key: "exit.title"), content: [.text(Text(key: "exit.text"))])
        .when { $0.isNotNeeded }
      Page(
        "people",
        Items(
          \.people, Text(key: "people.title"), count: 1...30, tooFew: Text(key: "people.few"),
          tooMany: Text(key: "people.many"), title: { Text($0.name ?? "") },
          detail: { $0.started.map { Text.date($0) } ?? "" }
        ) {
          Question(
            \.name,
            Field(
              Text(key: "people.name"), length: 1...80, isSensitive: true,
              errors: [.required: Text(key: "people.name-missing"), .maximumLength: Text(key: "other.long")]))
          Question(
            \.started,
            Field(
              Text(key: "people.started"),
              errors: [
                .required: Text(key: "people.started-missing"), .maximum: Text(key: "people.future"),
                .minimum: Text(key: "people.early"),
              ])
          )
          .bounds(from: { $0.today.adding(days: -30) }, through: { $0.today })
          Question(\.vaccinated, Field(wrappedValue: false, Text(key: "people.vaccinated")))
        }
      )
      .when { $0.twoAri == .yes || $0.within != nil && $0.spread != nil }
    }

    static let wiring = Wiring<Self>()
      .journey(journey) { _, nav in
        nav.push(Sending())
        nav.perform { SendReport(answers: $0) }
      }
      .shows(Sending.self).shows(Away.self).shows(Sent.self)
      .on(TryAgain.self) { _, _, nav in
        nav.replaceTop(Sending())
        nav.perform { SendReport(answers: $0) }
      }
      .performs(
        SendReport.self,
        done: { me, receipt, nav in
          me.reference = receipt.reference
          nav.setStack([Sent(reference: receipt.reference)])
        },
        failed: { _, _, nav in nav.replaceTop(Away()) })
  }

  // MARK: Answers

  enum Setting: String, FieldChoice {
    case home, living, other
    var title: Text { Text(key: "setting.\(rawValue)") }
  }

  enum YesNo: String, FieldChoice { case yes, no }

  enum Unsure: String, FieldChoice { case yes, no, unsure }

  enum Infection: String, FieldChoice {
    case covid, flu, rsv
    var title: Text {
      switch self {
      case .covid: "COVID-19"
      case .flu: "Flu"
      case .rsv: "RSV"
      }
    }
  }

  struct Person: Codable {
    var name: String?
    var started: CalendarDate?
    var vaccinated: Bool?
  }

  // MARK: Sending

  struct SendReport: Effect {
    struct Output: Codable { var reference: String }
    static let name = "authority-report"
    static let httpServices = ["authority"]
    var answers: Value

    func run(_ context: EffectContext<Self>) async throws -> Output {
      try await context.service("authority").post("/reports", answers)
    }
  }

  struct Sending: Screen {
    static let name = "sending"
    static let title = Title<Self>(key: "sending.title")
    static let leavePolicy = LeavePolicy.sealed
  }

  struct Away: Screen {
    static let name = "away"
    static let title = Title<Self>(key: "away.title")
    static let actions: [any Action.Type] = [TryAgain.self]
  }

  struct TryAgain: Action {
    static let name = "again"
    static let title = Text(key: "away.again")
    static let role = ActionRole.primary
  }

  struct Sent: Screen {
    static let name = "sent"
    static let title = Title<Self>(key: "sent.title")
    static let leavePolicy = LeavePolicy.sealed
    var reference: String

    var content: [Block] { [.facts([.init(Text(key: "sent.reference"), Text(reference))])] }
  }
}
