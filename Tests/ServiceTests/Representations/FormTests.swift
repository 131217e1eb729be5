import HTTPAPI
import TestSupport
import Testing

/// The submission of forms from pages.
@Suite(.limitedConcurrency) struct FormTests {
  private let service: TestService

  init() throws { service = try TestService(.inProcess) { $0.allowedHosts = AllowedHosts(["usher.example"])! } }

  @Test func `a form is answered with a redirect to the page`() async throws {
    let created = try await service.submit("/v1/sessions", ["app": "shop"])
    #expect(created.status == 303 && created.bytes.isEmpty)
    let path = try #require(created.header("Location"))
    let bought = try await service.submit(path + "/actions/buy?revision=1", ["product": "2"])
    #expect(bought.status == 303 && bought.header("Location") == path)
    #expect(try await service.send("GET", path).json["screen", "data", "selectedProduct"].int == 2)
    #expect(try await service.submit(path + "/back?revision=2").status == 303)
    #expect(try await service.submit(path + "/tabs/learn?revision=3").status == 303)
    #expect(try await service.send("GET", path).json["screen", "name"].string == "lessons")
  }

  @Test func `a form whose client accepts JSON is answered with the view`() async throws {
    let form = ["Content-Type": "application/x-www-form-urlencoded"]
    let created = try await service.send("POST", "/v1/sessions", "app=bank&link=%2Finbox%2Fm2&ttl=60", headers: form)
    let bank = try Visitor(service, created)
    #expect(bank.screen == "message" && bank.stack == ["inbox", "message"])
    let opened = try await service.send("POST", bank.path + "/open", "link=%2Faccounts%2Fa1", headers: form)
    #expect(opened.status == 200 && opened.json["screen", "data", "accountId"].string == "a1")
  }

  @Test func `a combining character does not hide a separator`() async throws {
    let form = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"]
    let gallery = try await service.start("gallery")
    try await gallery.act("fields")
    let typed = "name=Ann+\u{301}B&\u{301}x=y&guests=1&size=small&news=false"
    let answer = try await service.send("POST", gallery.path + "/actions/send", typed, headers: form)
    #expect(answer.status == 200)
    #expect(answer.json["screen", "data", "name"].string == "Ann \u{301}B")
  }

  @Test func `a double click creates one session and performs one action`() async throws {
    let first = try await service.submit("/v1/sessions", ["app": "shop", "key": "k1"])
    let again = try await service.submit("/v1/sessions", ["app": "shop", "key": "k1"])
    let path = try #require(first.header("Location"))
    #expect(first.status == 303 && again.header("Location") == path)
    for _ in 1...2 {
      #expect(try await service.submit(path + "/actions/create-account?revision=1").status == 303)
    }
    // The second click arrives at the next screen, whose `next` has another input.
    let bank = try await service.start("bank")
    try await bank.act("transfer")
    try await bank.act("sign-in", #"{"pin":"1234"}"#)
    for _ in 1...2 {
      let next = bank.path + "/actions/next?revision=\(bank.revision ?? 0)"
      #expect(try await service.submit(next, ["to": "bob"]).status == 303)
    }
    #expect(try await service.send("GET", bank.path).json["screen", "name"].string == "transfer-amount")
  }

  @Test func `invalid input is returned as typed, with advice beside each field`() async throws {
    let gallery = try await service.start("gallery")
    try await gallery.act("fields")
    let answer = try await service.submit(
      gallery.path + "/actions/send?revision=2",
      [
        "name": "x", "guests": "many", "budget": "2000", "code": "12a456", "size": "small", "colour": "pink",
        "news": "false", "news": "true",
      ])
    #expect(answer.status == 422)
    for advice in [
      "“Name” must have at least 2 characters.", "“Guests” must be a whole number, without a point or comma.",
      "“Budget” must be at most 999.5.", "“Code” must be 6 digits.",
      "“Colour” must be one of red, green, Blue, as the sea.",
    ] {
      // Once in the summary, and once beside the field.
      #expect(answer.text.ranges(of: advice).count == 2)
    }
    #expect(answer.text.contains("<a href=\"#send-guests\">") && !answer.text.contains("data-stored"))
    for typed in ["value=\"x\"", "value=\"many\"", "value=\"2000\"", "value=\"12a456\"", "value=\"true\" checked"] {
      #expect(answer.text.contains(typed), "\(typed)")
    }
    #expect(answer.text.contains("<option value=\"small\" selected>Small, for one</option>"))
    #expect(try await service.send("GET", gallery.path).json["session", "revision"].int == 2)
  }

  @Test func `a problem in JSON has the sentences of the form, each with its keyword`() async throws {
    let gallery = try await service.start("gallery")
    try await gallery.act("fields")
    let answer = try await service.send(
      "POST", gallery.path + "/actions/send?revision=2",
      ##"{"name":"x","guests":"many","budget":2000,"code":"12a4","size":"small","colour":"pink"}"##)
    let failures = answer.json["errors"].array.map { "\($0["keyword"].string ?? "") \($0["detail"].string ?? "")" }
    #expect(
      failures == [
        "minLength “Name” must have at least 2 characters.",
        "type “Guests” must be a whole number, without a point or comma.",
        "maximum “Budget” must be at most 999.5.", "minLength “Code” must be 6 digits.",
        "pattern “Code” must be 6 digits.",
        "enum “Colour” must be one of red, green, Blue, as the sea.", "required “Send me news” is required.",
      ])
    #expect(answer.json["detail"].string?.ranges(of: "“Code” must be 6 digits.").count == 1)
  }

  @Test(arguments: ["0x10", "+1", "1,5", "nan"])
  func `a number that is invalid in JSON is rejected`(number: String) async throws {
    let gallery = try await service.start("gallery")
    try await gallery.act("fields")
    let answer = try await service.submit(gallery.path + "/actions/send?revision=2", ["budget": number])
    #expect(answer.status == 422 && answer.text.contains("“Budget” must be a number."))
  }

  @Test func `fields are parsed by their types`() async throws {
    let gallery = try await service.start("gallery")
    try await gallery.act("fields")
    let sent = try await service.submit(
      gallery.path + "/actions/send",
      [
        "name": "Zoë & Co", "story": "one\r\ntwo", "guests": " 3 ", "budget": "", "code": "", "size": "large",
        "colour": "", "news": "false", "reminder": "false", "reminder": "true", "unknown": "x",
      ])
    #expect(sent.status == 303, "\(sent.text)")
    let data = try await service.send("GET", gallery.path).json["screen", "data"]
    #expect(data["name"].string == "Zoë & Co" && data["story"].string == "one\ntwo" && data["guests"].int == 3)
    #expect(data["news"].bool == false && data["reminder"].bool == true && data["size"].string == "large")
    for absent in ["budget", "code", "colour"] { #expect(data[absent].isNull, "\(absent)") }
  }

  @Test func `the form that starts an app has the fields of its input`() async throws {
    let page = try await service.send("GET", "/", headers: ["Accept": browser])
    #expect(page.text.contains("name=\"input.visitor\""))
    let long = String(repeating: "x", count: 41)
    let refused = try await service.submit("/v1/sessions", ["app": "gallery", "input.visitor": long])
    #expect(refused.status == 422 && refused.text.contains("href=\"#gallery-visitor\""))
    #expect(refused.text.contains("value=\"\(long)\""))
    let created = try await service.submit("/v1/sessions", ["app": "gallery", "input.visitor": "Ann"])
    let path = try #require(created.header("Location"))
    #expect(try await service.send("GET", path).json["screen", "data", "visitor"].string == "Ann")
  }

  @Test func `a stale form reports the conflict, and shows the current screen`() async throws {
    let shop = try await service.start("shop")
    try await shop.act("create-account")
    let stale = try await service.submit(shop.path + "/actions/buy?revision=1", ["product": "1"])
    #expect(stale.status == 409 && stale.header("ETag") == "\"2-html\"")
    #expect(stale.text.contains("role=\"alert\"") && stale.text.contains(">Your name</h1>"))
    #expect(stale.text.contains("The session has moved on"))
    #expect(stale.text.contains("<title>That didn’t work · Your name · Shop</title>"))
  }

  @Test func `forms of other sites are refused`() async throws {
    let refused: [[String: String]] = [
      ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "x"],
      ["Origin": "https://evil.example", "Host": "usher.example"], ["Origin": "null", "Host": "usher.example"],
      ["Origin": "https://usher.example.evil.example", "Host": "usher.example"], ["Origin": "https://usher.example"],
    ]
    for headers in refused {
      let answer = try await service.submit("/v1/sessions", ["app": "shop"], headers: headers)
      #expect(answer.status == 403, "\(headers)")
    }
    let accepted: [[String: String]] = [
      ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "none"],
      ["Sec-Fetch-Site": "same-origin", "Origin": "null"],
      ["Origin": "https://usher.example", "Host": "usher.example"],
    ]
    for headers in accepted {
      #expect(try await service.submit("/v1/sessions", ["app": "shop"], headers: headers).status == 303, "\(headers)")
    }
  }

  @Test(arguments: ["changed", "ended"])
  func `a form that has begun a session is shown again with its typed values and a new key`(what: String) async throws {
    let key = String(repeating: "k", count: 24)
    let first = try await service.submit("/v1/sessions", ["app": "gallery", "input.visitor": "Ann", "key": key])
    let path = try #require(first.header("Location"))
    if what == "ended" { #expect(try await service.send("DELETE", path).status == 204) }
    let name = what == "ended" ? "Ann" : "Anna"
    let again = try await service.submit("/v1/sessions", ["app": "gallery", "input.visitor": name, "key": key])
    #expect(again.status == (what == "ended" ? 410 : 422))
    #expect(again.text.contains("You have sent this form before.") && again.text.contains("value=\"\(name)\""))
    #expect(again.text.contains("name=\"key\"") && !again.text.contains(key))
  }

  @Test func `a malformed form is rejected`() async throws {
    let form = ["Content-Type": "application/x-www-form-urlencoded"]
    for (body, status, problem) in [
      ("app=%zz", 400, "invalid-request"), ("app=%ff", 400, "invalid-request"), ("", 400, "invalid-request"),
      ("app=nope", 422, "unknown-app"), ("app=shop&ttl=x", 400, "invalid-request"),
      ("app=shop&key=", 400, "invalid-request"), ("app=shop&locale=%20", 400, "invalid-request"),
      (#"{"app":"shop"}"#, 415, "unsupported-media-type"),
    ] {
      let answer = try await service.send("POST", "/v1/sessions", body, headers: form)
      #expect(answer.status == status && answer.problem == problem, "\(body): \(answer.json)")
    }
    let shop = try await service.start("shop")
    #expect(try await service.send("POST", shop.path + "/back", "x=1", headers: form).status == 400)
  }
}
