import Foundation
import TestSupport
import Testing

/// Sessions as pages for browsers. `Tests/Browser` tests their appearance and behaviour in a browser.
@Suite(.limitedConcurrency) struct PageTests {
  private let service: TestService

  init() throws { service = try TestService(.inProcess) }

  private func page(_ target: String, _ headers: [String: String] = [:]) async throws -> Answer {
    try await service.send("GET", target, headers: ["Accept": browser].merging(headers) { $1 })
  }

  @Test func `a browser receives pages, and other clients JSON`() async throws {
    let shop = try await service.start("shop")
    for target in ["/", shop.path] {
      let page = try await page(target)
      #expect(page.status == 200 && page.header("Content-Type") == "text/html; charset=utf-8")
      #expect(page.text.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
      for accept in [nil, "*/*", "application/json", "application/*, text/*;q=0.9", "application/json, text/html"] {
        let headers = accept.map { ["Accept": $0] } ?? [:]
        #expect(try await service.send("GET", target, headers: headers).header("Content-Type") == "application/json")
      }
    }
  }

  @Test func `a page has its own ETag, and a known page is not sent again`() async throws {
    let shop = try await service.start("shop")
    let first = try await page(shop.path)
    #expect(first.header("ETag") == "\"1-html\"")
    let again = try await page(shop.path, ["If-None-Match": "\"1-html\""])
    #expect(again.status == 304 && again.header("ETag") == "\"1-html\"")
    #expect(try await page(shop.path, ["If-None-Match": "\"1\""]).status == 200)
    let done = try await service.send(
      "POST", shop.path + "/actions/create-account", headers: ["If-Match": "\"1-html\""])
    #expect(done.status == 200)
    #expect(try await service.send("POST", shop.path + "/back", headers: ["If-Match": "\"1-html\""]).status == 412)
  }

  @Test func `a page loads nothing from other sites, and cannot be framed`() async throws {
    let policy = try #require(try await page("/").header("Content-Security-Policy"))
    for part in [
      "default-src 'none'", "script-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
    ] {
      #expect(policy.contains(part))
    }
    let text = try await page(try await service.start("bank").path).text
    #expect(text.matches(of: /(src|href)="([^"]*)"/).allSatisfy { $0.2.hasPrefix("/") || $0.2.hasPrefix("data:") })
  }

  @Test(arguments: ["<script>alert(1)</script>", "\"><b>", "' onfocus='x", "&lt;", "\u{E000}0\u{E000}", "{{title}}"])
  func `user input is escaped on every page`(name: String) async throws {
    let escaped = name.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    let shop = try await service.start("shop")
    try await shop.act("create-account")
    try await shop.act("next", String(decoding: try JSONEncoder().encode(["name": name]), as: UTF8.self))
    let shown = try await page(shop.path).text
    #expect(shown.contains("<dd>\(escaped)</dd>"))
    #expect(escaped == name || !shown.contains(name))

    let gallery = try await service.start("gallery")
    try await gallery.act("fields")
    let refused = try await service.submit(gallery.path + "/actions/send", ["name": name, "story": name])
    #expect(refused.status == 422)
    #expect(refused.text.contains("value=\"\(escaped)\"") && refused.text.contains(">\n\(escaped)</textarea>"))
  }

  @Test func `the page after a stale form has the typed values of the form, without secrets`() async throws {
    let gallery = try await service.start("gallery")
    try await gallery.act("fields")
    let refused = try await service.submit(
      gallery.path + "/actions/send?revision=1", ["name": "Ann Lee", "pin": "4711"])
    #expect(refused.status == 409)
    #expect(refused.text.contains("The session has moved on.") && refused.text.contains("value=\"Ann Lee\""))
    #expect(!refused.text.contains("4711"))
  }

  @Test func `a control character is shown by its symbol`() async throws {
    let shop = try await service.start("shop")
    try await shop.act("create-account")
    try await shop.act("next", #"{"name":"a\u0000b\u001b[2J\tc"}"#)
    #expect(try await page(shop.path).text.contains("<dd>a\u{2400}b\u{241B}[2J\tc</dd>"))
  }

  @Test func `two pages of one shape differ only in their texts`() async throws {
    var pages: [String] = []
    for name in ["Ann", "Bob"] {
      let shop = try await service.start("shop")
      try await shop.act("create-account")
      try await shop.act("next", #"{"name":"\#(name)"}"#)
      let id = shop.path.dropFirst("/v1/sessions/".count)
      pages.append(try await page(shop.path).text.replacing(id, with: "ID").replacing(name, with: "NAME"))
    }
    #expect(pages[0] == pages[1] && pages[0].contains("<dd>NAME</dd>"))
  }

  @Test func `a disabled action shows its reason, and a prompt covers the screen`() async throws {
    let bank = try await service.start("bank")
    let accounts = try await page(bank.path).text
    #expect(accounts.contains("disabled aria-describedby=\"sign-out-reason\">Sign out</button>"))
    #expect(accounts.contains("id=\"sign-out-reason\">You are signed out.</p>"))
    try await bank.act("transfer")
    let sheet = try await page(bank.path).text
    #expect(sheet.contains("<div class=\"covered\" aria-hidden=\"true\" inert>\n<p class=\"title\">Accounts</p>"))
    try await bank.act("sign-in", #"{"pin":"1234"}"#)
    try await bank.act("next", #"{"to":"bob"}"#)
    try await bank.back()
    let question = try await page(bank.path).text
    #expect(question.contains("<div class=\"screen\" inert>") && question.contains("role=\"alertdialog\""))
    #expect(question.contains("/actions/leave?revision=") && question.contains("/actions/stay?revision="))
  }

  @Test func `a GET of a form's address redirects to the page`() async throws {
    let shop = try await service.start("shop")
    for part in ["/actions/buy?revision=1", "/back", "/tabs/learn"] {
      let answer = try await page(shop.path + part)
      #expect(answer.status == 303 && answer.header("Location") == shop.path)
      #expect(try await service.send("GET", shop.path + part).status == 405)
    }
  }

  @Test func `a browser receives problems as pages`() async throws {
    for (target, status, title) in [
      ("/nope", 404, "Not found"), ("/v1/sessions/nope", 404, "Unknown session"),
      ("/v1/sessions?x=1", 405, "Method not allowed"),
    ] {
      let answer = try await page(target)
      #expect(answer.status == status && answer.header("Content-Type") == "text/html; charset=utf-8")
      #expect(answer.text.contains(">\(title)</h1>"))
      #expect(answer.header("X-Request-Id") != nil && answer.header("Cache-Control") == "no-store")
    }
  }

  @Test func `a page declares the language of its session`() async throws {
    let shop = try await service.start("shop", #","locale":"de-CH""#)
    #expect(try await page(shop.path).text.contains("<html lang=\"de-CH\">"))
  }
}

/// The `Accept` header of a browser.
let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8"

extension TestService {
  /// Sends a form as a browser does.
  func submit(
    _ target: String, _ fields: KeyValuePairs<String, String> = [:], headers: [String: String] = [:]
  ) async throws -> Answer {
    let plain = CharacterSet.alphanumerics
    func encoded(_ text: String) -> String { text.addingPercentEncoding(withAllowedCharacters: plain) ?? "" }
    let body = fields.map { "\(encoded($0.key))=\(encoded($0.value))" }.joined(separator: "&")
    let all = ["Accept": browser, "Content-Type": "application/x-www-form-urlencoded"].merging(headers) { $1 }
    return try await send("POST", target, body, headers: all)
  }
}
