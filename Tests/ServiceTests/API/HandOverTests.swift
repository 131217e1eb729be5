import HTTPAPI
import MicroHTTP
import TestSupport
import Testing

/// The hand-over of a session to another device over HTTP.
@Suite(.limitedConcurrency) struct HandOverTests {
  private let form = ["Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"]

  @Test(arguments: TestService.Transport.allCases)
  func `after a hand-over the new device acts, and the old one reads`(transport: TestService.Transport) async throws {
    let service = try TestService(transport)
    let old = try await service.start("shop")
    #expect(old.view["session", "access"].string == "act")
    let offered = try await service.send("POST", try #require(old.view["links", "handOver"].string))
    let link = try #require(offered.json["href"].string)
    #expect(offered.status == 201 && offered.header("Location") == link)
    #expect(try await service.send("GET", link).json == offered.json)
    let key = ["Idempotency-Key": "phone"]
    let taken = try await service.send("POST", link, headers: key)
    #expect(taken.status == 201 && taken.json["session", "access"].string == "act")
    #expect(taken.json["session", "revision"].int == 2 && taken.header("ETag") == "\"2\"")
    let new = try #require(taken.json["links", "self"].string)
    #expect(taken.header("Location") == new && new.hasPrefix(old.path + "."))
    #expect(taken.json["actions"].array.allSatisfy { $0["href"].string?.hasPrefix(new + "/actions/") == true })
    let again = try await service.send("POST", link, headers: key)
    #expect(again.json == taken.json && again.header("Idempotency-Replayed") == "true")

    let seen = try await service.send("GET", old.path)
    #expect(seen.json["session", "access"].string == "read" && seen.header("ETag") == "\"2-read\"")
    #expect(seen.json["links", "handOver"].isNull && seen.json["session", "id"] == old.view["session", "id"])
    #expect(seen.json["actions"].array.allSatisfy { $0["enabled"].bool == false && $0["reason"].string != nil })
    #expect(seen.json["navigation", "tabs", "items"].array.allSatisfy { $0["href"].isNull })
    for (method, part) in [
      ("POST", "/actions/buy"), ("POST", "/back"), ("POST", "/tabs/learn"), ("DELETE", ""), ("POST", "/hand-over"),
    ] {
      let refused = try await service.send(method, old.path + part, method == "POST" ? "{}" : nil)
      #expect(refused.status == 403 && refused.problem == "read-only")
      #expect(refused.json["view", "session", "access"].string == "read")
    }
    let acted = try await service.send("POST", new + "/actions/buy", #"{"product":1}"#)
    #expect(acted.status == 200)
    #expect(try await service.send("GET", old.path).json["screen"] == acted.json["screen"])
    #expect(try await service.send("GET", old.path + "/tree").status == 200)
    #expect(
      try await service.send("GET", new + "/history").json["entries"].strings("action") == [
        "create", "handOver", "buy",
      ])
    #expect(try await service.send("DELETE", new).status == 204)
  }

  @Test func `the link has the public address of the service`() async throws {
    let service = try TestService(.inProcess) { $0.publicURL = "https://public.example" }
    let session = try await service.start("shop")
    for accept in ["text/html", "text/plain"] {
      let offered = try await service.send("POST", session.path + "/hand-over", headers: ["Accept": accept])
      let shown =
        offered.status == 303
        ? try await service.send("GET", try #require(offered.header("Location")), headers: ["Accept": accept]) : offered
      #expect(shown.text.contains("https://public.example/v1/hand-overs/"))
    }
  }

  @Test func `a browser shows the link, asks for confirmation and opens the session`() async throws {
    let service = try TestService()
    let old = try await service.start("shop")
    let page = try await service.send("GET", old.path, headers: form)
    #expect(page.text.contains("action=\"\(old.path)/hand-over\""))
    let offered = try await service.send("POST", old.path + "/hand-over", "", headers: form)
    #expect(offered.status == 200)
    let address = try #require(offered.text.firstMatch(of: #/>http://127\.0\.0\.1:\d+([^<]+)</textarea>/#)?.1)
    let question = try await service.send("GET", String(address), headers: form)
    let key = try #require(question.text.firstMatch(of: #/name="key" value="([^"]+)"/#)?.1)
    #expect(question.text.contains("action=\"\(address)\""))
    // A double click.
    for _ in 0..<2 {
      let taken = try await service.send("POST", String(address), "key=\(key)", headers: form)
      #expect(taken.text.contains("Continue on another device"))
    }
    let seen = try await service.send("GET", old.path, headers: form)
    #expect(seen.text.contains("This session continues on another device") && !seen.text.contains("/hand-over"))
    #expect(try await service.send("POST", String(address), "key=other", headers: form).status == 404)
  }

  @Test func `reloading the page with the link keeps the link valid`() async throws {
    let service = try TestService(.inProcess)
    let old = try await service.start("shop")
    let page = try await service.send("POST", old.path + "/hand-over", "", headers: form)
    let location = try #require(page.header("Location"))
    #expect(page.status == 303 && location.hasPrefix(old.path + "/hand-over?code="))
    let shown = try await service.send("GET", location, headers: ["Accept": "text/html"])
    #expect(shown.status == 200)
    #expect(try await service.send("GET", location, headers: ["Accept": "text/html"]).text == shown.text)
    let code = try #require(location.split(separator: "=").last)
    let link = "/v1/hand-overs/\(code)"
    #expect(shown.text.contains("\(link)</textarea>"))
    #expect(try await service.send("GET", location).json == service.send("GET", link).json)
    #expect(try await service.send("GET", location, headers: ["Accept": "text/plain"]).text.hasSuffix("\(link)\n"))
    #expect(try await service.send("POST", link).status == 201)
    // A used link no longer has a page.
    #expect(try await service.send("GET", location).problem == "unknown-hand-over")
    let late = try await service.send("GET", location, headers: ["Accept": "text/html"])
    #expect(late.status == 303 && late.header("Location") == old.path)
  }

  @Test func `the page with the link has the link as a QR code`() async throws {
    let service = try TestService(.inProcess)
    let shop = try await service.start("shop")
    let offered = try await service.send("POST", shop.path + "/hand-over", "", headers: form)
    let location = try #require(offered.header("Location"))
    let headers = ["Accept": "text/html", "Host": "127.0.0.1:8080"]
    let page = try await service.send("GET", location, headers: headers).text
    let link = try #require(page.firstMatch(of: #/>([^<]+)</textarea>/#)?.1)
    #expect(link.hasPrefix("http://127.0.0.1:8080/v1/hand-overs/"))
    let code = try #require(QRCodeImage(String(link)))
    #expect(page.contains(#"role="img" aria-label="QR code of the link""#) && page.contains("d=\"\(code.path)\""))
    #expect(page.contains("viewBox=\"0 0 \(code.size) \(code.size)\""))
    // The Content-Security-Policy forbids inline styles.
    #expect(!page.contains("style="))
    // A link without a host is of no use to a camera.
    let path = try await service.send("GET", location, headers: ["Accept": "text/html"]).text
    #expect(path.contains(">/v1/hand-overs/") && !path.contains("<svg"))
  }

  @Test func `only the session that made an offer shows the page with its link`() async throws {
    let service = try TestService(.inProcess)
    let (old, other) = (try await service.start("shop"), try await service.start("shop"))
    let link = try #require(try await service.send("POST", old.path + "/hand-over").json["href"].string)
    let code = link.dropFirst("/v1/hand-overs/".count)
    #expect(try await service.send("GET", "\(old.path)/hand-over?code=\(code)").status == 200)
    for target in ["\(other.path)/hand-over?code=\(code)", "\(old.path)/hand-over?code=x"] {
      let refused = try await service.send("GET", target)
      #expect(refused.status == 404 && refused.problem == "unknown-hand-over", "\(target)")
      let page = try await service.send("GET", target, headers: ["Accept": "text/html"])
      #expect(page.status == 303 && page.header("Location") == String(target.prefix { $0 != "?" }.dropLast(10)))
    }
    let stranger = "/v1/sessions/\(String(repeating: "A", count: 22))/hand-over?code=\(code)"
    #expect(try await service.send("GET", stranger).problem == "unknown-session")
    #expect(try await service.send("GET", "\(old.path)/hand-over").problem == "invalid-request")
    // A new offer invalidates the link of the previous one, and its page.
    _ = try await service.send("POST", old.path + "/hand-over")
    #expect(try await service.send("GET", "\(old.path)/hand-over?code=\(code)").status == 404)
  }

  @Test func `every code without an offer leads to the same problem`() async throws {
    let service = try TestService(.inProcess)
    let session = try await service.start("shop")
    let used = try #require(try await service.send("POST", session.path + "/hand-over").json["href"].string)
    _ = try await service.send("POST", used)
    let id = try #require(session.view["session", "id"].string)
    let unknown = String(repeating: "A", count: 22)
    for code in [
      unknown + unknown + unknown, "\(unknown).\(unknown)", id, "\(id).\(unknown)", "x", "%00", "%zz", "\(id).",
      String(used.dropFirst("/v1/hand-overs/".count)),
    ] {
      for method in ["GET", "POST"] {
        let answer = try await service.send(method, "/v1/hand-overs/\(code)")
        #expect(answer.status == 404 && answer.problem == "unknown-hand-over", "\(method) \(code)")
        #expect(answer.json["detail"].string == "The link has been used, has expired or never existed.")
      }
    }
    for stranger in [unknown, "\(unknown).\(unknown)"] {
      let answer = try await service.send("POST", "/v1/sessions/\(stranger)/hand-over")
      #expect(answer.status == 404 && answer.problem == "unknown-session")
    }
  }

  @Test func `a finished session cannot be handed over`() async throws {
    let service = try TestService(.inProcess)
    let session = try await service.start("gallery", #","input":{"visitor":"Ada"}"#)
    let answers = #"{"name":"Ada","guests":1,"size":"small","news":false}"#
    try await session.act("fields").act("send", answers).back().back().act("leave").act("goodbye")
    #expect(session.view["links", "handOver"].isNull)
    let refused = try await session.attempt("/hand-over")
    #expect(refused.status == 409 && refused.problem == "session-finished")
    #expect(try await session.attempt("/hand-over", #"{"x":1}"#).status == 400)
    #expect(try await service.send("POST", session.path + "/hand-over", headers: ["Accept": "image/png"]).status == 406)
  }
}
