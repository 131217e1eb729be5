public import Navigation

extension ExampleApps {
  /// Every kind of block, field and tone, and work in the background, for testing how a client shows them.
  public static let gallery = App(
    "gallery", title: "Gallery", summary: "Every kind of content and every kind of form field.",
    image: Picture.gallery, input: GalleryInput.self
  ) { input in Gallery(visitor: input.visitor ?? "") }
}

/// The input that a client may give when it creates a session.
struct GalleryInput: AppInput {
  @Field("Your name", description: "For the greeting.", length: 1...40) var visitor: String?
}

/// Counts the forms that were sent. The visitor cannot leave before the first one.
struct Gallery: Coordinator {
  struct Result: Codable { var answers: Int }
  static let name = "gallery"
  var visitor: String
  var answers = 0
  var reminders = 0

  func start(_ nav: inout Navigator<Self>) { nav.push(Blocks(visitor: visitor)) }

  static let wiring = Wiring<Self>()
    .shows(Blocks.self) { me, blocks in blocks.answers = me.answers }
    .shows(Fields.self)
    .shows(Answers.self)
    .shows(MoreFields.self)
    .shows(MoreAnswers.self)
    .shows(Background.self) { me, screen in screen.reminders = me.reminders }
    .shows(Working.self)
    .shows(Worked.self)
    .asks(Farewell.self)
    .on(ShowFields.self) { _, _, nav in nav.push(Fields()) }
    .on(SendFields.self) { me, action, nav in
      me.answers += 1
      nav.push(Answers(action))
    }
    .on(ShowMoreFields.self) { _, _, nav in nav.push(MoreFields()) }
    .on(SendMoreFields.self) { me, action, nav in
      if action.arrival < CalendarDate(year: 2026, month: 1, day: 1)! {
        nav.refuse("The house opens in 2026.", field: "arrival")
      }
      me.answers += 1
      nav.push(MoreAnswers(stay: action))
    }
    .on(ShowBackground.self) { _, _, nav in nav.push(Background()) }
    .on(Work.self) { _, work, nav in
      nav.perform(LongWork(seconds: work.seconds, fails: work.fails))
      nav.push(Working(seconds: work.seconds))
    }
    .performs(
      LongWork.self,
      done: { _, seconds, nav in nav.replaceTop(Worked(outcome: "It took \(seconds) seconds.")) },
      failed: { _, failure, nav in nav.replaceTop(Worked(outcome: "It failed.", hasFailed: true)) }
    )
    .on(Remind.self) { _, remind, nav in nav.schedule(Reminder(), after: .seconds(remind.seconds)) }
    .on(timer: Reminder.self) { me, _, _ in me.reminders += 1 }
    .on(Leave.self, disabled: { me in me.answers == 0 ? "Send the form once before you go." : nil }) { _, _, nav in
      nav.ask(Farewell())
    }
    .on(SayGoodbye.self) { me, _, nav in nav.finish(Result(answers: me.answers)) }
    .on(StayHere.self) { _, _, _ in }
}

// MARK: - Blocks

/// A screen with each kind of block.
struct Blocks: Screen {
  static let name = "blocks"
  static let title: Title<Self> = "Blocks"
  static let actions: [any Action.Type] = [ShowFields.self, ShowMoreFields.self, ShowBackground.self, Leave.self]
  var visitor: String
  var answers = 0

  var content: [Block] {
    [
      .heading(visitor.isEmpty ? "Welcome!" : "Welcome, \(visitor)!"),
      .text("A text may have <angle brackets>, \"quotes\" & ampersands."),
      .facts([.init("Answers", "\(answers)"), .init("Blocks", "7")]),
      .list([.init("An item"), .init("Another one", detail: "with a detail")]),
      .image(source: picture, alternative: "A blue disc over a yellow field"),
      .notice("For your information."),
      .notice("It went well.", tone: .success),
      .notice("Mind the step.", tone: .warning),
      .notice("It did not go well.", tone: .error),
      .link("The contract of this service", href: "/openapi.yaml"),
    ]
  }

  private var picture: String {
    """
    data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='320' height='120'%3E%3Crect width='320' \
    height='120' fill='%23f2c94c'/%3E%3Ccircle cx='160' cy='60' r='40' fill='%231d4fa8'/%3E%3C/svg%3E
    """
  }
}

struct ShowFields: Action {
  static let name = "fields"
  static let title: Text = "Show the fields"
  static let role = ActionRole.primary
}

struct ShowMoreFields: Action {
  static let name = "more-fields"
  static let title: Text = "Show more fields"
}

struct Leave: Action {
  static let name = "leave"
  static let title: Text = "Leave"
  static let role = ActionRole.destructive
}

/// A question with actions of its own, of which one has a field.
struct Farewell: Prompt {
  static let name = "farewell"
  static let actions: [any Action.Type] = [SayGoodbye.self, StayHere.self]
  var title: Text { "Leave the gallery?" }
  var message: Text { "The session ends with it." }
}

struct SayGoodbye: Action {
  static let name = "goodbye"
  static let title: Text = "Say goodbye"
  static let role = ActionRole.primary
  @Field("Last words", length: 0...80) var words: String?
}

struct StayHere: Action {
  static let name = "stay"
  static let title: Text = "Stay"
  static let role = ActionRole.cancel
}

// MARK: - Fields

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

/// A screen whose action has the fields of everyday forms.
struct MoreFields: Screen {
  static let name = "more-fields"
  static let title: Title<Self> = "More fields"
  static let actions: [any Action.Type] = [SendMoreFields.self]
}

struct SendMoreFields: Action {
  enum Extra: String, FieldChoice {
    case breakfast, parking, bicycle
    var title: Text { Text(rawValue.prefix(1).uppercased() + rawValue.dropFirst()) }
  }

  static let name = "send"
  static let title: Text = "Send"
  static let role = ActionRole.primary
  @Field("E-mail", format: .email) var email: String
  @Field("Phone", format: .phone) var phone: String?
  @Field("Web site", format: .url) var site: String?
  @Field("Arrival") var arrival: CalendarDate
  @Field("Time of arrival") var time: TimeOfDay?
  @Field("Price a night", decimals: 2, unit: "EUR", in: 0...1_000_00) var cents: Int
  @Field("Extras", count: 0...2) var extras: [Extra]
  @Field("Room", showsAll: true) var room: SendFields.Size
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
        .init("Web site", Text(stay.site ?? none)), .init("Arrival", "\(stay.arrival)"),
        .init("Time of arrival", Text(stay.time.map { "\($0)" } ?? none)),
        .init("Price a night", "\(Price.text(stay.cents).string) EUR"),
        .init("Extras", Text(stay.extras.isEmpty ? "none" : stay.extras.map(\.title.string).joined(separator: ", "))),
        .init("Room", stay.room.title), .init("Note", Text(stay.note ?? none)),
      ])
    ]
  }
}

// MARK: - Work in the background

struct ShowBackground: Action {
  static let name = "background"
  static let title: Text = "Work in the background"
}

struct Background: Screen {
  static let name = "background"
  static let title: Title<Self> = "Background"
  static let actions: [any Action.Type] = [Work.self, Remind.self]
  var reminders = 0
  var content: [Block] { [.facts([.init("Reminders", "\(reminders)")])] }
}

/// Asks for work that takes a while.
struct Work: Action {
  static let name = "work"
  static let title: Text = "Work"
  @Field("Seconds", in: 0...20) var seconds: Int
  @Field("Fails", description: "The work ends with an error.") var fails: Bool
}

/// Work that takes a while, in the place of a call to a backend.
struct LongWork: Effect {
  struct Failed: Error {}

  static let name = "long-work"
  static let policy = EffectPolicy(timeout: .seconds(30))
  var seconds: Int
  var fails: Bool

  func run(_ context: EffectContext<Self>) async throws -> Int {
    try await Task.sleep(for: .seconds(seconds))
    if fails { throw Failed() }
    return seconds
  }
}

struct Working: Screen {
  static let name = "working"
  static let title: Title<Self> = "Working"
  var seconds: Int
  var content: [Block] { [.text("This takes \(seconds) seconds. The screen changes by itself.")] }
}

struct Worked: Screen {
  static let name = "worked"
  static let title: Title<Self> = "Worked"
  var outcome: String
  var hasFailed = false
  var content: [Block] { [.notice("\(outcome)", tone: hasFailed ? .error : .success)] }
}

/// Asks for a reminder.
struct Remind: Action {
  static let name = "remind"
  static let title: Text = "Remind me"
  @Field("Seconds", in: 0...3600) var seconds: Int
}

struct Reminder: TimedEvent { static let name = "reminder" }
