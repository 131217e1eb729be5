import Navigation

/// Shows messages. The tab's badge is the number of unread ones.
struct Inbox: Coordinator {
  static let name = "inbox"
  var messages = Message.samples

  func start(_ nav: inout Navigator<Self>) {
    nav.push(InboxScreen())
    nav.badge(unread)
  }

  /// The number of unread messages, or nil for no badge.
  var unread: Int? {
    let count = messages.count { !$0.read }
    return count == 0 ? nil : count
  }

  static let wiring = Wiring<Self>()
    .shows(InboxScreen.self) { me, screen in screen.messages = me.messages }
    .shows(MessageScreen.self)
    .on(ReadMessage.self) { me, action, nav in
      guard let index = me.messages.firstIndex(where: { $0.id == action.messageId }) else { return }
      me.messages[index].read = true
      nav.push(MessageScreen(me.messages[index]))
      nav.badge(me.unread)
    }
}

struct Message: Codable {
  var id: String
  var subject: String
  var read = false

  static let samples = [
    Message(id: "m1", subject: "Welcome"),
    Message(id: "m2", subject: "Your statement"),
    Message(id: "m3", subject: "New rates"),
  ]

  static var choices: [Choice] { samples.map { Choice($0.id, title: Text($0.subject)) } }

  var text: String {
    switch id {
    case "m1": "Good to have you with us."
    case "m2": "The statement of last month is ready."
    default: "Savings earn 2 percent from next month on."
    }
  }
}

struct InboxScreen: Screen {
  static let name = "inbox"
  static let title: Title<Self> = "Inbox"
  static let actions: [any Action.Type] = [ReadMessage.self]
  var messages: [Message] = []

  var content: [Block] {
    [
      .list(messages) { message in
        .init(
          Text(message.subject), detail: message.read ? nil : "New",
          action: ReadMessage.self, ["messageId": .text(message.id)])
      }
    ]
  }
}

struct MessageScreen: Screen {
  static let name = "message"
  static let title = Title<Self> { "\($0.subject)" }
  var messageId: String
  var subject: String
  var text: String

  init(_ message: Message) {
    messageId = message.id
    subject = message.subject
    text = message.text
  }

  var content: [Block] { [.text("\(text)")] }
}

struct ReadMessage: Action {
  static let name = "read"
  static let title: Text = "Read"
  static let role = ActionRole.primary
  @Field("Message", choices: Message.choices) var messageId: String
}

struct MessageLink: Link {
  static let pattern = "/inbox/{messageId}"
  @Field("Message", choices: Message.choices) var messageId: String

  var steps: [Step] { [.tab(Inbox.self), .action(ReadMessage(messageId: $messageId))] }
}
