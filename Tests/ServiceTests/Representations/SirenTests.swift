import Testing

/// Sessions as Siren entities. A client that knows nothing but Siren gets through an app.
@Suite(.limitedConcurrency) struct SirenTests {
  private let service: TestService

  init() throws { service = try TestService(.inProcess) }

  private func entity(_ target: String, _ method: String = "GET", _ body: String? = nil) async throws -> JSON {
    let answer = try await service.send(method, target, body, headers: ["Accept": "application/vnd.siren+json"])
    #expect(answer.status < 300 && answer.header("Content-Type") == "application/vnd.siren+json", "\(answer.json)")
    return answer.json
  }

  /// Does an action as it is described, with these values for its fields.
  private func follow(_ entity: JSON, _ name: String, _ input: String = "{}") async throws -> JSON {
    let action = JSON.first(of: entity["actions"], named: name)
    let href = try #require(action["href"].string, "\(name) is not among \(entity["actions"].strings("name"))")
    return try await self.entity(href, try #require(action["method"].string), input)
  }

  @Test func `a transfer by what the entities say`() async throws {
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

  @Test func `its tag is its own`() async throws {
    let shop = try await service.start("shop")
    let headers = ["Accept": "application/vnd.siren+json"]
    #expect(try await service.send("GET", shop.path, headers: headers).header("ETag") == "\"1-siren\"")
    let again = try await service.send(
      "GET", shop.path, headers: headers.merging(["If-None-Match": "\"1-siren\""]) { $1 })
    #expect(again.status == 304)
  }
}
