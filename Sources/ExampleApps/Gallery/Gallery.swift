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
  /// The stay that the visitor sent last.
  var stay: SendMoreFields?

  func start(_ nav: inout Navigator<Self>) { nav.push(Blocks(visitor: visitor)) }

  static let wiring = Wiring<Self>()
    .shows(Blocks.self) { me, blocks in blocks.answers = me.answers }
    .shows(Fields.self)
    .shows(Answers.self)
    .shows(MoreFields.self) { me, screen in screen.stay = me.stay }
    .shows(MoreAnswers.self)
    .shows(MoreBlocks.self)
    .on(ShowMoreBlocks.self) { _, _, nav in nav.push(MoreBlocks()) }
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
      if let birthday = action.birthday, birthday > action.arrival {
        nav.refuse("The date of birth must be before the arrival.", field: "birthday")
        nav.refuse("The arrival must be after the date of birth.", field: "arrival")
      }
      me.answers += 1
      me.stay = action
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
    .on(Forget.self, hidden: { me in me.stay == nil }) { me, _, _ in me.stay = nil }
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
  static let actions: [any Action.Type] = [
    ShowFields.self, ShowMoreFields.self, ShowMoreBlocks.self, ShowBackground.self, Leave.self,
  ]
  var visitor: String
  var answers = 0

  var content: [Block] {
    [
      .heading(visitor.isEmpty ? "Welcome!" : "Welcome, \(visitor)!"),
      .text("A text may have <angle brackets>, \"quotes\" & ampersands."),
      .facts([.init("Answers", "\(answers)"), .init("Blocks", "10")]),
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
