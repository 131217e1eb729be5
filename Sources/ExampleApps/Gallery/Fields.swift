import Navigation

/// A form with one field of each kind.
struct Fields: Screen {
  static let name = "fields"
  static let title: Title<Self> = "Fields"
  static let actions: [any Action.Type] = [SendFields.self]
}

struct SendFields: Action {
  enum Size: String, FieldChoice {
    case small, medium, large

    var title: Text {
      switch self {
      case .small: "Small, for one"
      case .medium: "Medium, for two"
      case .large: "Large, for many"
      }
    }
  }

  static let name = "send"
  static let title: Text = "Send"
  static let role = ActionRole.primary
  @Field("Name", length: 2...40) var name: String
  @Field("Story", description: "As long as you like, and up to 2000 characters.", length: 0...2000) var story: String?
  @Field("Guests", in: 1...12) var guests: Int
  @Field("Budget", exclusiveMinimum: 0, maximum: 999.5) var budget: Double?
  @Field("Code", digits: 6) var code: String?
  @Field("Size") var size: Size
  @Field("Colour", choices: ["red", "green", Choice("blue", title: "Blue, as the sea")]) var colour: String?
  @Field("Send me news", description: "Once a month.") var news: Bool
  @Field("Remind me") var reminder: Bool?
}

/// What was sent.
struct Answers: Screen {
  static let name = "answers"
  static let title: Title<Self> = "Your answers"
  var name: String
  var story: String?
  var guests: Int
  var budget: Double?
  var code: String?
  var size: SendFields.Size
  var colour: String?
  var news: Bool
  var reminder: Bool?

  init(_ sent: SendFields) {
    name = sent.name
    story = sent.story
    guests = sent.guests
    budget = sent.budget
    code = sent.code
    size = sent.size
    colour = sent.colour
    news = sent.news
    reminder = sent.reminder
  }

  var content: [Block] {
    let none: Text = "none"
    return [
      .facts([
        .init("Name", "\(name)"), .init("Story", story.map { "\($0)" } ?? none), .init("Guests", "\(guests)"),
        .init("Budget", budget.map { "\($0)" } ?? none), .init("Code", code.map { "\($0)" } ?? none),
        .init("Size", size.title), .init("Colour", colour.map { "\($0)" } ?? none),
        .init("News", news ? "yes" : "no"), .init("Reminder", reminder.map { $0 ? "yes" : "no" } ?? none),
      ])
    ]
  }
}
