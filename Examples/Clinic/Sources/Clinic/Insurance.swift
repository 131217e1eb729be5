import Usher

/// A child flow of two screens, whose result is an insurance card. Going back out of the flow leaves no result.
struct Insurance: Coordinator {
  typealias Result = InsuranceCard
  static let name = "insurance"
  var insurer: Insurer?

  func start(_ nav: inout Navigator<Self>) { nav.push(Insurers()) }

  static let wiring = Wiring<Self>()
    .shows(Insurers.self)
    .shows(CardNumber.self)
    .on(ChooseInsurer.self) { me, choose, nav in
      me.insurer = choose.insurer
      nav.push(CardNumber(insurer: choose.insurer))
    }
    .on(EnterNumber.self) { me, enter, nav in
      if let insurer = me.insurer { nav.finish(InsuranceCard(insurer: insurer, number: enter.number)) }
    }
}

struct InsuranceCard: Codable, Sendable {
  var insurer: Insurer
  var number: String
}

enum Insurer: String, FieldChoice {
  case common, rural, marine

  var title: Text {
    switch self {
    case .common: "Common Health"
    case .rural: "Rural Mutual"
    case .marine: "Marine Fund"
    }
  }
}

struct Insurers: Screen {
  static let name = "insurers"
  static let title: Title<Self> = "Your insurance"
  static let actions: [any Action.Type] = [ChooseInsurer.self]
}

struct ChooseInsurer: Action {
  static let name = "next"
  static let title: Text = "Next"
  static let role = ActionRole.primary
  @Field("Insurance") var insurer: Insurer
}

struct CardNumber: Screen {
  static let name = "card-number"
  static let title = Title<Self> { "\($0.insurer.title.string)" }
  static let actions: [any Action.Type] = [EnterNumber.self]
  var insurer: Insurer
}

struct EnterNumber: Action {
  static let name = "save"
  static let title: Text = "Save"
  static let role = ActionRole.primary
  @Field("Card number", digits: 10, isSensitive: true) var number: String
}
