import Navigation

/// One block of each kind.
struct Blocks: Screen {
  static let name = "blocks"
  static let title: Title<Self> = "Blocks"
  static let actions: [any Action.Type] = [ShowFields.self, Leave.self]
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

struct Leave: Action {
  static let name = "leave"
  static let title: Text = "Leave"
  static let role = ActionRole.destructive
}

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
