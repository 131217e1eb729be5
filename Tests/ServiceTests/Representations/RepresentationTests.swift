import Languages
import TestSupport
import Testing

@testable import HTTPAPI

/// The choice of a representation by the header `Accept`.
@Suite struct AcceptTests {
  @Test(arguments: [
    ("application/json", Representation.json), ("text/html", .html), ("TEXT/Plain", .text), ("text/*", .html),
    ("*/*", .json), ("", .json), ("text/html;q=0.1, text/plain;q=0.2", .text), ("text/html;q=0, */*", .json),
    ("text/html ; q=0.5 , application/json;q=0.4", .html), ("text/html;level=1;Q=0.5,text/plain;q=0.6", .text),
    ("*/*;q=0.1, text/*;q=0.2, text/plain;q=0.05", .html), ("text/html;q=2, text/plain;q=0.9", .html),
    (",,text/plain,,", .text),
    ("a/b, application/vnd.siren+json", .siren), ("text/html;q=0.5, text/html;q=0.9, text/plain;q=0.7", .text),
  ])
  func `the preferred representation is chosen`(header: String, chosen: Representation) throws {
    #expect(try MediaType.representation(header) == chosen)
    #expect(try MediaType.representation(String(header.map { $0 == "," ? " ,\t" : "\($0)" }.joined())) == chosen)
  }

  @Test(arguments: ["a/b", "text/html;q=0", "text", "text/htm", "text/htmls", ";", ",", "*", "text/html;q=0,*/*;q=0"])
  func `a header that accepts no available type is an error`(header: String) {
    #expect(throws: Problem.self) { try MediaType.representation(header) }
  }

  /// The limit bounds the comparisons that a long header causes.
  @Test func `at most 64 media ranges are read`() throws {
    let most = Array(repeating: "a/b", count: 63).joined(separator: ",,")
    #expect(try MediaType.representation(most + ",text/html") == .html)
    try MediaType.requireAcceptable(most + ",application/json", "application/json")
    for tail in [",a/b,text/html", ",application/json,application/json", String(repeating: ",a/b", count: 4000)] {
      do throws(Problem) {
        _ = try MediaType.representation(most + tail)
        Issue.record("The header was accepted.")
      } catch {
        #expect(error.kind == .notAcceptable && error.detail.text(in: .english).contains("64 media ranges"))
      }
      #expect(throws: Problem.self) { try MediaType.requireAcceptable(most + tail, "application/json") }
      #expect(!MediaType.prefersPage(most + tail))
    }
  }

  @Test(arguments: [",", " ,\t"])
  func `empty elements of the list are ignored`(separator: String) throws {
    #expect(try MediaType.representation("text/html" + String(repeating: separator, count: 1000)) == .html)
  }

  @Test func `long runs of blanks, commas and semicolons are accepted`() throws {
    let long = 14_000
    #expect(try MediaType.representation("text/html" + String(repeating: " ", count: long)) == .html)
    #expect(try MediaType.representation("text/html" + String(repeating: ";", count: long)) == .html)
    #expect(try MediaType.representation("text/html" + String(repeating: ",", count: long)) == .html)
    #expect(try MediaType.representation("text/html" + String(repeating: ";a=b", count: long / 4) + ";q=0.5") == .html)
  }
}

/// Sessions as Siren entities, which are sufficient for a generic client.
@Suite(.limitedConcurrency) struct SirenTests {
  private let service: TestService

  init() throws { service = try TestService(.inProcess) }

  private func entity(_ target: String, _ method: String = "GET", _ body: String? = nil) async throws -> JSON {
    let answer = try await service.send(method, target, body, headers: ["Accept": "application/vnd.siren+json"])
    #expect(answer.status < 300 && answer.header("Content-Type") == "application/vnd.siren+json", "\(answer.json)")
    return answer.json
  }

  /// Performs an action as the entity describes it, with these values for its fields.
  private func follow(_ entity: JSON, _ name: String, _ input: String = "{}") async throws -> JSON {
    let action = JSON.first(of: entity["actions"], named: name)
    let href = try #require(action["href"].string, "\(name) is not among \(entity["actions"].strings("name"))")
    return try await self.entity(href, try #require(action["method"].string), input)
  }

  @Test func `a generic client completes a transfer`() async throws {
    var bank = try await entity("/v1/sessions", "POST", #"{"app":"bank"}"#)
    #expect(bank["class"] == JSON(["session", "bank", "accounts"]) && bank["title"].string == "Accounts")
    #expect(bank["actions"].strings("name") == ["open", "transfer", "tab-accounts", "tab-inbox"])
    let account = bank["actions"][0]["fields"][0]
    #expect(
      account["type"].string == "radio" && account["value"].strings("title") == ["Everyday", "Savings", "Travel"])
    bank = try await follow(bank, "transfer")
    #expect(bank["actions"].strings("name") == ["sign-in", "back", "dismiss"])
    bank = try await follow(bank, "sign-in", #"{"pin":"1234"}"#)
    bank = try await follow(bank, "next", #"{"to":"bob"}"#)
    #expect(bank["actions"][0]["fields"][0]["type"].string == "number")
    bank = try await follow(bank, "back")
    #expect(bank["actions"].strings("name").prefix(2) == ["leave", "stay"])
    #expect(bank["properties", "prompt"].string == "The amount is not saved.")
    bank = try await follow(bank, "stay")
    bank = try await follow(bank, "next", #"{"amount":5}"#)
    bank = try await follow(bank, "confirm")
    bank = try await follow(bank, "done")
    #expect(bank["title"].string == "Accounts" && bank["properties", "revision"].int == 9)
    let links = bank["links"].array
    #expect(links.map { $0["rel"][0].string } == ["self", "tree", "history", "events"])
    #expect(try await entity(try #require(links[0]["href"].string))["title"].string == "Accounts")
  }

  @Test func `an entity has its own ETag`() async throws {
    let shop = try await service.start("shop")
    let headers = ["Accept": "application/vnd.siren+json"]
    #expect(try await service.send("GET", shop.path, headers: headers).header("ETag") == "\"1-siren\"")
    let again = try await service.send(
      "GET", shop.path, headers: headers.merging(["If-None-Match": "\"1-siren\""]) { $1 })
    #expect(again.status == 304)
  }
}

/// Sessions as text for terminals.
@Suite(.limitedConcurrency) struct TextTests {
  private let service: TestService

  init() throws { service = try TestService(.inProcess) }

  private func text(_ target: String, _ method: String = "GET", _ body: String? = nil) async throws -> Answer {
    try await service.send(method, target, body, headers: ["Accept": "text/plain"])
  }

  @Test func `a screen shows its content, and each action with its key`() async throws {
    let bank = try await service.start("bank")
    let answer = try await text(bank.path)
    #expect(answer.header("Content-Type") == "text/plain; charset=utf-8" && answer.header("ETag") == "\"1-text\"")
    #expect(
      answer.text == """
        [Accounts]  Inbox (3)\u{20}

        Accounts
        ========
          2   Everyday – 1,250.50
          3   Savings – 8,200.00
          4   Travel – 340.25

          1   Transfer
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

  @Test func `a prompt offers only its own answers`() async throws {
    let gallery = try await service.start("gallery")
    try await gallery.act("fields")
    try await gallery.act("send", #"{"name":"Ann","guests":1,"size":"small","news":true}"#)
    for _ in 0..<2 { try await gallery.back() }
    let asked = try await text(gallery.path + "/actions/leave", "POST").text
    #expect(asked.contains("Leave the gallery?\n------------------\nThe session ends with it."))
    #expect(asked.contains("  1   Say goodbye (Last words (optional))\n  2   Stay\n"))
    #expect(!asked.contains("Show the fields"))
    let over = try await text(gallery.path + "/actions/goodbye", "POST").text
    #expect(over.contains("The session has finished.") && !over.contains("  1 "))
  }

  @Test func `user input contains no commands to the terminal`() async throws {
    let shop = try await service.start("shop")
    try await shop.act("create-account")
    try await shop.act("next", #"{"name":"a\u001b[2Jb\u0007c\u009bd\u202ee\r\nf"}"#)
    let answer = try await text(shop.path).text
    #expect(answer.contains("Name  a [2Jb c d e"))
    #expect(answer.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  }
}
