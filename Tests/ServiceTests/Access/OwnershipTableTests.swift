import Access
import MicroHTTP
import Testing

@testable import HTTPAPI

/// Whose a session is: a row for every route that has a session, a column for everybody who may use sessions and does not own it.
@Suite(.limitedConcurrency) struct `The table of owners` {
  private static let owner: Permissions = [.create, .act]

  /// Who may use sessions, and what is theirs.
  enum Column: CaseIterable {
    case another, operator_, nobody

    var permissions: Permissions? {
      switch self {
      case .another: .act
      case .operator_: .all
      case .nobody: nil
      }
    }
  }

  private static let routes = API.routes.filter { $0.path.contains("{id}") || $0.path.contains("{code}") }

  private let service: GuardedService

  init() throws { service = try GuardedService(anonymous: [.create, .act]) }

  private func bearer(_ permissions: Permissions?) -> [String: String] { permissions.map { service.bearer($0) } ?? [:] }

  /// A session of the owner's, in every state that it can be in, by the codes and ids that there are of it.
  private func sessions() async throws -> [(state: String, id: String, code: String)] {
    var sessions: [(state: String, id: String, code: String)] = []
    for state in ["alive", "handed over", "ended"] {
      let path = try #require(
        try await send("POST", "/v1/sessions", #"{"app":"shop"}"#, Self.owner).json["links", "self"].string)
      var id = String(path.dropFirst("/v1/sessions/".count))
      let link = try #require(try await send("POST", path + "/hand-over", nil, Self.owner).json["href"].string)
      if state == "handed over" {
        id = try #require(try await send("POST", link, nil, Self.owner).json["session", "id"].string)
      } else if state == "ended" {
        #expect(try await send("DELETE", path, nil, Self.owner).status == 204)
      }
      sessions.append((state, id, String(link.dropFirst("/v1/hand-overs/".count))))
    }
    return sessions
  }

  private func send(
    _ method: String, _ target: String, _ body: String?, _ permissions: Permissions?, accept: String = "*/*"
  ) async throws -> Answer {
    let headers = bearer(permissions).merging(["X-Request-Id": "same", "Accept": accept]) { $1 }
    return try await service.send(method, target, body, headers: headers)
  }

  @Test(arguments: ["*/*", "text/html", "text/plain", "application/vnd.siren+json", "text/event-stream"])
  func `to others a session is as one that never existed, byte for byte`(accept: String) async throws {
    let secret = String(repeating: "A", count: 22)
    let strangeCode = secret + secret + String(repeating: "B", count: 21) + "A"
    for (state, id, code) in try await sessions() {
      // Of the same length: what an id looks like tells nothing.
      let strange = id.count > 22 ? "\(secret).\(secret)" : secret
      for route in Self.routes {
        for column in Column.allCases {
          func answer(_ id: String, _ code: String) async throws -> (status: Int, text: String, headers: [String]) {
            let target = Self.target(of: route, id, code)
            let answer = try await send(
              route.method.name, target, Self.body(of: route), column.permissions, accept: accept)
            let text = answer.text.replacing(code, with: "CODE").replacing(id, with: "ID")
            let names = ["Content-Type", "Content-Length", "Cache-Control", "ETag", "Location", "Retry-After", "Allow"]
            // The text of the two targets is of one length as well.
            return (answer.status, text, names.map { answer.header($0) ?? "" })
          }
          let (found, unknown) = (try await answer(id, code), try await answer(strange, strangeCode))
          let cell = "\(route.method.name) \(route.path), \(state), \(column), \(accept)"
          #expect(found == unknown, "\(cell)")
          // Where the type is not to be had it is 406 for all.
          #expect([404, 406].contains(found.status), "\(cell): \(found)")
        }
      }
    }
  }

  @Test func `the owner is let through everywhere`() async throws {
    // A stream does not end by itself.
    for route in Self.routes where !route.path.hasSuffix("/events") {
      for session in try await sessions() where session.state != "ended" {
        // The code of what was handed over is used up.
        let target = Self.target(of: route, session.id, session.code)
        if session.state == "handed over", target.contains(session.code) { continue }
        let answer = try await send(route.method.name, target, Self.body(of: route), Self.owner)
        #expect(
          answer.status < 500 && ![401, 403, 404].contains(answer.status),
          "\(route.method.name) \(route.path), \(session.state): \(answer.text)")
      }
    }
  }

  @Test func `a session that nobody in particular made is everybody's who has its address`() async throws {
    let path = try #require(
      try await send("POST", "/v1/sessions", #"{"app":"shop"}"#, nil).json["links", "self"].string)
    for column in Column.allCases { #expect(try await send("GET", path, nil, column.permissions).status == 200) }
  }

  @Test func `an idempotency key is its principal's own`() async throws {
    var ids: Set<String> = []
    for permissions in [Self.owner, .all, nil] {
      for _ in 0..<2 {
        let headers = bearer(permissions).merging(["Idempotency-Key": "same"]) { $1 }
        let answer = try await service.send("POST", "/v1/sessions", #"{"app":"shop"}"#, headers: headers)
        ids.insert(try #require(answer.json["session", "id"].string))
      }
    }
    #expect(ids.count == 3)
  }

  private static func body(of route: Route) -> String? {
    route.path.hasSuffix("/open") ? #"{"link":"/nowhere"}"# : nil
  }

  private static func target(of route: Route, _ id: String, _ code: String) -> String {
    let values = ["{id}": id, "{code}": code, "{action}": "buy", "{tab}": "main"]
    let isOwnOffer = route.method == .get && route.path.hasSuffix("/hand-over")
    return values.reduce(route.path + (isOwnOffer ? "?code={code}" : "")) { $0.replacing($1.key, with: $1.value) }
  }
}
