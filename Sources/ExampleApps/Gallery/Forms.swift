internal import Navigation

/// A screen whose action has a field of each kind.
struct Fields: Screen {
  static let name = "fields"
  static let title: Title<Self> = "Fields"
  static let actions: [any Action.Type] = [SendFields.self]
}

/// One field of each kind. The type of a property and the arguments of `@Field` determine the form control and its
/// validation.
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
  @Field("PIN", digits: 4, isSecret: true) var pin: String?
  @Field("Size") var size: Size
  @Field("Colour", choices: ["red", "green", Choice("blue", title: "Blue, as the sea")]) var colour: String?
  @Field("Send me news", description: "Once a month.") var news: Bool
  @Field("Remind me") var reminder: Bool?
}

/// The values that were sent.
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

  init(_ action: SendFields) {
    name = action.name
    story = action.story
    guests = action.guests
    budget = action.budget
    code = action.code
    size = action.size
    colour = action.colour
    news = action.news
    reminder = action.reminder
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

/// A screen whose action has the fields of everyday forms. They begin with what the visitor sent before.
struct MoreFields: Screen {
  static let name = "more-fields"
  static let title: Title<Self> = "More fields"
  static let actions: [any Action.Type] = [SendMoreFields.self, Forget.self]
  static let prefills = [Prefill<Self>(SendMoreFields.self) { $0.stay }]
  var stay: SendMoreFields?
}

/// Empties the form. The action is hidden as long as nothing was sent.
struct Forget: Action {
  static let name = "forget"
  static let title: Text = "Forget my stay"
  static let role = ActionRole.destructive
}

struct SendMoreFields: Action {
  enum Extra: String, FieldChoice {
    case breakfast, parking, bicycle, nothing
    var title: Text { Text(rawValue.prefix(1).uppercased() + rawValue.dropFirst()) }
    var hint: Text? { self == .bicycle ? "One for each guest." : nil }
    var excludesOthers: Bool { self == .nothing }
  }

  static let name = "send"
  static let title: Text = "Send"
  static let role = ActionRole.primary
  @Field("E-mail", format: .email) var email: String
  @Field("Phone", format: .phone) var phone: String?
  @Field("Web site", format: .url) var site: String?
  @Field("Date of birth", isSensitive: true, autofill: .birthday) var birthday: CalendarDate?
  @Field("Passport number", pattern: "[A-Z0-9]{6,9}", example: "C01X00T47", isSensitive: true) var passport: String?
  @Field("Arrival") var arrival: CalendarDate
  @Field("Time of arrival") var time: TimeOfDay?
  @Field("Nights", in: 1...30) var nights: Int = 2
  @Field("Train from the airport") var train: OffsetDateTime?
  @Field("Price a night", decimals: 2, unit: "EUR", in: 0...1_000_00) var cents: Int
  @Field("Extras", count: 0...2) var extras: [Extra]
  @Field("Room", showsAll: true, errors: [.required: "Choose a room."]) var room: SendFields.Size
  @Field("Note", length: 0...200, isMultiline: true) var note: String?
  @Field("I accept the terms", mustBeTrue: true) var accepts: Bool
}

/// The values that were sent.
struct MoreAnswers: Screen {
  static let name = "more-answers"
  static let title: Title<Self> = "Your stay"
  var stay: SendMoreFields

  var content: [Block] {
    let none = "not given"
    return [
      .facts([
        .init("E-mail", Text(stay.email)), .init("Phone", Text(stay.phone ?? none)),
        .init("Web site", Text(stay.site ?? none)),
        .init("Date of birth", Text(stay.birthday.map { "\($0)" } ?? none)),
        .init("Passport number", Text(stay.passport ?? none)), .init("Arrival", "\(stay.arrival)"),
        .init("Time of arrival", Text(stay.time.map { "\($0)" } ?? none)), .init("Nights", "\(stay.nights)"),
        .init("Train from the airport", Text(stay.train.map { "\($0)" } ?? none)),
        .init("Price a night", "\(Price.text(stay.cents).string) EUR"),
        .init("Extras", Text(stay.extras.isEmpty ? "none" : stay.extras.map(\.title.string).joined(separator: ", "))),
        .init("Room", stay.room.title), .init("Note", Text(stay.note ?? none)),
      ])
    ]
  }
}
