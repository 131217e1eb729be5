import Testing

/// Sessions as text for terminals.
@Suite(.limitedConcurrency) struct TextTests {
  private let service: TestService

  init() throws { service = try TestService(.inProcess) }

  private func text(_ target: String, _ method: String = "GET", _ body: String? = nil) async throws -> Answer {
    try await service.send(method, target, body, headers: ["Accept": "text/plain"])
  }

  @Test func `a screen says what it has, and what can be done by which key`() async throws {
    let bank = try await service.start("bank")
    let answer = try await text(bank.path)
    #expect(answer.header("Content-Type") == "text/plain; charset=utf-8" && answer.header("ETag") == "\"1-text\"")
    #expect(
      answer.text == """
        [Accounts]  Inbox (3)\u{20}

        Accounts
        ========
          Everyday  1,250.50
          Savings   8,200.00
          Travel    340.25

          1   Open (Account)
          2   Transfer
          –   Sign out: You are signed out.
          t1  Accounts
          t2  Inbox (3)

        """)
  }

  @Test func `an action is answered with the next screen, and a refusal with the reason above it`() async throws {
    let bank = try await service.start("bank", #","link":"/accounts/a2""#)
    #expect(try await text(bank.path + "/back", "POST").text.contains("Accounts\n========"))
    let refused = try await text(bank.path + "/dismiss", "POST")
    #expect(refused.status == 409 && refused.text.contains("\n\n[Accounts]"))
    #expect(try await text("/v1/sessions/nope").text == "No session has this id.\n")
    #expect(try await text("/").text.contains("bank\tBank\n"))
    #expect(try await text("/v1/sessions", "POST", #"{"app":"pages"}"#).status == 201)
  }

  @Test func `a question is all that can be answered`() async throws {
    let gallery = try await service.start("gallery")
    try await gallery.act("fields")
    try await gallery.act("send", #"{"name":"Ann","guests":1,"size":"small","news":true}"#)
    for _ in 0..<2 { try await gallery.back() }
    let asked = try await text(gallery.path + "/actions/leave", "POST").text
    #expect(asked.contains("Leave the gallery?\n------------------\nThe session ends with it."))
    #expect(asked.contains("  1   Say goodbye (Last words?)\n  2   Stay\n"))
    #expect(!asked.contains("Show the fields"))
    let over = try await text(gallery.path + "/actions/goodbye", "POST").text
    #expect(over.contains("This session has finished.") && !over.contains("  1 "))
  }

  @Test func `nothing that was typed is a command to the terminal`() async throws {
    let shop = try await service.start("shop")
    try await shop.act("create-account")
    try await shop.act("next", #"{"name":"a\u001b[2Jb\u0007c\u009bd\u202ee\r\nf"}"#)
    let answer = try await text(shop.path).text
    #expect(answer.contains("Name  a [2Jb c d e"))
    #expect(answer.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  }
}
