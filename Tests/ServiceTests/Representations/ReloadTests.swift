import Navigation
import TestSupport
import Testing

/// Pages without JavaScript, while something in the background may change their session.
@Suite(.limitedConcurrency) struct ReloadTests {
  @Test func `a page reloads itself unless it has fields, those of a prompt included`() async throws {
    let service = try TestService(.socket, apps: [App("waiting-room", title: "Waiting room") { WaitingRoom() }])
    let visitor = try await service.start("waiting-room")
    func reloads() async throws -> Bool {
      let page = try await service.send("GET", visitor.path, headers: ["Accept": "text/html"])
      return page.text.contains(#"http-equiv="refresh""#)
    }
    #expect(try await reloads())
    try await visitor.act("ask")
    #expect(try await !reloads())
    try await visitor.act("answer", #"{"name": "Ann"}"#)
    #expect(try await reloads())
  }
}

private struct WaitingRoom: Coordinator {
  static let name = "waiting-room"

  struct Called: Signal { static let name = "called" }

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Room())
    nav.await(Called.self)
  }

  static let wiring = Wiring<Self>()
    .shows(Room.self)
    .asks(NameQuestion.self)
    .on(signal: Called.self) { _, _, _ in }
    .on(AskForName.self) { _, _, nav in nav.ask(NameQuestion()) }
    .on(AnswerName.self) { _, _, _ in }
}

private struct Room: Screen {
  static let name = "room"
  static let title: Title<Self> = "Room"
  static let actions: [any Action.Type] = [AskForName.self]
}

private struct NameQuestion: Prompt {
  static let name = "name-question"
  static let actions: [any Action.Type] = [AnswerName.self]
  var title: Text { "Your name?" }
  var message: Text { "" }
}

private struct AskForName: Action {
  static let name = "ask"
  static let title: Text = "Ask"
}

private struct AnswerName: Action {
  static let name = "answer"
  static let title: Text = "Answer"
  @Field("Name", length: 1...40) var name: String
}
