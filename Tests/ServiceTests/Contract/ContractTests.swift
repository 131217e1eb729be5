import Foundation
import MicroHTTP
import TestSupport
import Testing
import Usher

@testable import HTTPAPI

/// The agreement of the service with its OpenAPI document.
@Suite(.limitedConcurrency) struct ContractTests {
  let service: TestService
  let contract: Contract

  init() async throws {
    service = try TestService(.inProcess)
    contract = Contract(document: try await service.send("GET", "/openapi.json").json)
  }

  @Test func `the document is served as the YAML of the repository, and as JSON`() async throws {
    let yaml = try await service.send("GET", "/openapi.yaml")
    #expect(yaml.header("Content-Type") == "application/yaml")
    #expect(yaml.header("Cache-Control") == "max-age=300")
    let file = URL(filePath: #filePath).appending(path: "../../../../openapi.yaml").standardizedFileURL
    #expect(try Data(contentsOf: file) == Data(yaml.bytes))
    #expect(contract.document["openapi"].string == "3.1.0")
    #expect(contract.document["info", "version"].string == usherVersion)
  }

  @Test func `every route is in the document, and nothing else`() {
    let routes = Set(API.routes.map { "\($0.method.name) \($0.path)" })
    #expect(contract.operations == routes)
  }

  @Test func `every kind of problem is in the document, and nothing else`() {
    let types = contract.document["components", "schemas", "Problem", "properties", "type", "enum"].array.map(\.string)
    #expect(Set(types) == Set(ProblemKind.allCases.map { "/problems/\($0.rawValue)" }))
  }

  @Test func `every view of every app matches the document`() async throws {
    for (app, parts) in AppTours.all {
      let visitor = try await service.start(app)
      contract.check(visitor.last, "POST", "/v1/sessions")
      for (part, body) in parts {
        let answer = try await service.send("POST", visitor.path + part, body)
        #expect(answer.status == 200, "\(app) \(part): \(answer.json)")
        contract.check(answer, "POST", AppTours.template(of: part))
        let tree = try await service.send("GET", visitor.path + "/tree")
        contract.check(tree, "GET", "/v1/sessions/{id}/tree")
      }
      contract.check(try await service.send("GET", visitor.path), "GET", "/v1/sessions/{id}")
      contract.check(try await service.send("GET", visitor.path + "/history"), "GET", "/v1/sessions/{id}/history")
      contract.check(try await service.send("GET", "/v1/apps/\(app)"), "GET", "/v1/apps/{app}")
    }
  }

  @Test(arguments: ["/", "/livez", "/readyz", "/readyz?verbose", "/v1/apps", "/openapi.json"])
  func `the other resources match the document`(path: String) async throws {
    contract.check(try await service.send("GET", path), "GET", String(path.prefix { $0 != "?" }))
  }

  @Test func `a hand-over matches the document`() async throws {
    let old = try await service.start("shop").path
    let offered = try await service.send("POST", old + "/hand-over")
    contract.check(offered, "POST", "/v1/sessions/{id}/hand-over")
    let link = try #require(offered.json["href"].string)
    let own = old + "/hand-over?code=" + link.dropFirst("/v1/hand-overs/".count)
    for (method, template, target, status) in [
      ("GET", "/v1/sessions/{id}/hand-over", own, 200), ("GET", "/v1/hand-overs/{code}", link, 200),
      ("POST", "/v1/hand-overs/{code}", link, 201),
      ("GET", "/v1/sessions/{id}/hand-over", own, 404),
      ("GET", "/v1/sessions/{id}/hand-over", old + "/hand-over", 400),
      ("GET", "/v1/hand-overs/{code}", link, 404), ("POST", "/v1/hand-overs/{code}", link, 404),
      ("GET", "/v1/sessions/{id}", old, 200), ("POST", "/v1/sessions/{id}/hand-over", old + "/hand-over", 403),
      ("GET", "/v1/sessions/{id}/history", old + "/history", 200), ("DELETE", "/v1/sessions/{id}", old, 403),
    ] {
      let answer = try await service.send(method, target)
      #expect(answer.status == status, "\(method) \(target)")
      contract.check(answer, method, template)
    }
  }

  @Test func `problems match the document`() async throws {
    let shop = try await service.start("shop")
    let id = shop.path
    let form = ["Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"]
    for (method, path, part, body, headers, status) in [
      ("POST", "/v1/sessions", "/v1/sessions", "{", [:], 400),
      ("POST", "/v1/sessions", "/v1/sessions", #"{"app":"nope"}"#, [:], 422),
      ("POST", "/v1/sessions", "/v1/sessions", #"{"app":"bank","link":"/nope"}"#, [:], 422),
      ("POST", "/v1/sessions", "/v1/sessions", "x", ["Content-Type": "text/plain"], 415),
      ("GET", "/v1/sessions/{id}", "/v1/sessions/nope", nil, [:], 404),
      ("GET", "/v1/sessions/{id}", id, nil, ["Accept": "image/png"], 406),
      ("GET", "/v1/sessions/{id}", id, nil, ["Accept": "text/html"], 200),
      ("GET", "/v1/sessions/{id}", id, nil, ["Accept": "text/html", "If-None-Match": "\"1-html\""], 304),
      ("GET", "/v1/sessions/{id}", id, nil, ["Accept": "text/plain"], 200),
      ("GET", "/v1/sessions/{id}", id, nil, ["Accept": "application/vnd.siren+json"], 200),
      ("GET", "/", "/", nil, ["Accept": "text/html"], 200),
      ("GET", "/", "/", nil, ["Accept": "text/plain"], 200),
      ("GET", "/usher.css", "/usher.css", nil, [:], 200),
      ("GET", "/usher.js", "/usher.js", nil, [:], 200),
      ("GET", "/page.js", "/page.js", nil, [:], 200),
      ("GET", "/metrics", "/metrics", nil, [:], 200),
      ("GET", "/metrics", "/metrics", nil, ["Host": "evil.example"], 421),
      ("POST", "/v1/sessions", "/v1/sessions", #"{"app":"shop"}"#, ["Host": "evil.example"], 421),
      ("GET", "/v1/sessions/{id}", id, nil, ["Host": "evil.example", "Accept": "text/html"], 421),
      ("GET", "/v1/sessions/{id}", id, nil, ["If-None-Match": "\"1\""], 304),
      ("POST", "/v1/sessions/{id}/actions/{action}", id + "/actions/nope", nil, [:], 404),
      ("POST", "/v1/sessions/{id}/actions/{action}", id + "/actions/pay", nil, [:], 409),
      ("POST", "/v1/sessions/{id}/actions/{action}", id + "/actions/buy", #"{"product":9}"#, [:], 422),
      ("POST", "/v1/sessions/{id}/actions/{action}", id + "/actions/buy?revision=7", "{}", [:], 409),
      ("POST", "/v1/sessions/{id}/actions/{action}", id + "/actions/buy", "{}", ["If-Match": "\"7\""], 412),
      ("POST", "/v1/sessions/{id}/back", id + "/back", nil, [:], 409),
      ("POST", "/v1/sessions/{id}/open", id + "/open", #"{"link":"/nope"}"#, [:], 422),
      ("GET", "/v1/sessions/{id}/history", id + "/history?limit=0", nil, [:], 400),
      ("POST", "/v1/sessions", "/v1/sessions", "app=shop", form, 303),
      ("POST", "/v1/sessions/{id}/actions/{action}", id + "/actions/create-account", "", form, 303),
      ("POST", "/v1/sessions/{id}/back", id + "/back?revision=2", "", form, 303),
      ("POST", "/v1/sessions/{id}/hand-over", id + "/hand-over", "", form, 303),
      ("GET", "/v1/sessions/{id}/hand-over", id + "/hand-over", nil, ["Accept": "text/html"], 303),
      (
        "POST", "/v1/sessions", "/v1/sessions", "app=shop",
        form.merging(["Sec-Fetch-Site": "cross-site", "Accept": "*/*"]) { $1 }, 403
      ),
      ("DELETE", "/v1/sessions/{id}", id, nil, [:], 204),
      ("GET", "/v1/sessions/{id}", id, nil, [:], 410),
      ("GET", "/problems/{slug}", "/problems/not-found", nil, [:], 200),
    ] as [(String, String, String, String?, [String: String], Int)] {
      let answer = try await service.send(method, part, body, headers: headers)
      #expect(answer.status == status, "\(method) \(part)")
      contract.check(answer, method, path)
    }
  }
}

/// Sequences of requests that lead through all screens and prompts of the apps.
enum AppTours {
  static let all: [(app: String, parts: [(part: String, body: String?)])] = [
    ("pages", [("/actions/next", nil), ("/actions/third", nil), ("/back", nil), ("/actions/first", nil)]),
    (
      "shop",
      [
        ("/actions/buy", #"{"product":1}"#), ("/actions/pay", nil), ("/actions/create-account", nil),
        ("/actions/next", #"{"name":"Ada"}"#), ("/actions/sign-up", nil), ("/tabs/learn", nil),
      ]
    ),
    (
      "tabs",
      [
        ("/actions/open", #"{"detailId":"1"}"#), ("/actions/close", nil), ("/tabs/profile", nil),
        ("/actions/restart", nil),
      ]
    ),
    (
      "bank",
      [
        ("/open", #"{"link":"/accounts/a2"}"#), ("/tabs/inbox", nil), ("/actions/read", #"{"messageId":"m1"}"#),
        ("/open", #"{"link":"/transfer"}"#), ("/dismiss", nil), ("/tabs/accounts", nil), ("/actions/transfer", nil),
        ("/actions/sign-in", #"{"pin":"1234"}"#), ("/actions/next", #"{"to":"bob"}"#), ("/back", nil),
        ("/actions/stay", nil), ("/actions/next", #"{"amount":5}"#), ("/actions/confirm", nil), ("/actions/done", nil),
        ("/actions/sign-out", nil),
      ]
    ),
    // Without its backend, it has nothing to choose.
    ("checkout", []),
  ]

  /// Returns the documented path of a request to a session.
  static func template(of part: String) -> String {
    if part.hasPrefix("/actions/") { return "/v1/sessions/{id}/actions/{action}" }
    if part.hasPrefix("/tabs/") { return "/v1/sessions/{id}/tabs/{tab}" }
    return "/v1/sessions/{id}\(part)"
  }
}
