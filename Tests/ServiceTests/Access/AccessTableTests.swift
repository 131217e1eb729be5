import Access
import MicroHTTP
import TestSupport
import Testing

@testable import HTTPAPI

/// The permissions that each route requires, tested with every set of permissions. ``OwnershipTableTests`` tests the
/// access to the sessions of other principals.
@Suite(.limitedConcurrency) struct AccessTableTests {
  /// The required permissions by server, method and path. A new route needs a row here.
  static let rows: [String: Permissions] = [
    "service GET /": [], "service GET /v1/apps": [], "service GET /v1/apps/{app}": [],
    "service GET /openapi.yaml": [], "service GET /openapi.json": [], "service GET /problems/{slug}": [],
    "service GET /usher.css": [], "service GET /page.js": [], "service GET /usher.js": [],
    "service GET /livez": [], "service GET /readyz": [], "service GET /metrics": .operate,
    "service GET /start/{app}": [], "service GET /start/{app}/{link}": [],
    "service POST /start/{app}": .create, "service POST /start/{app}/{link}": .create,
    "service POST /v1/sessions": .create,
    "service GET /v1/sessions/{id}": .act, "service DELETE /v1/sessions/{id}": .act,
    "service POST /v1/sessions/{id}/actions/{action}": .act, "service POST /v1/sessions/{id}/back": .act,
    "service POST /v1/sessions/{id}/answers": .act,
    "service POST /v1/sessions/{id}/dismiss": .act, "service POST /v1/sessions/{id}/tabs/{tab}": .act,
    "service POST /v1/sessions/{id}/reload/{property}": .act, "service POST /v1/sessions/{id}/retry/{event}": .act,
    "service POST /v1/sessions/{id}/extend": .act,
    "service POST /v1/sessions/{id}/open": .act, "service POST /v1/sessions/{id}/locale": .act,
    "service GET /v1/sessions/{id}/tree": .act,
    "service GET /v1/sessions/{id}/history": .act, "service GET /v1/sessions/{id}/events": .act,
    "service POST /v1/sessions/{id}/hand-over": .act, "service GET /v1/sessions/{id}/hand-over": .act,
    "service GET /v1/hand-overs/{code}": .act,
    "service POST /v1/hand-overs/{code}": .act, "service POST /v1/signals/{address}": [],
    "service POST /v1/apps/{app}/signals/{name}": .signal,
    "service DELETE /v1/principals/{subject}/sessions": .operate,
    "service GET /v1/definitions": .operate, "service DELETE /v1/definitions/{digest}/sessions": .operate,

    "admin GET /metrics": .operate, "admin GET /livez": [], "admin GET /readyz": [], "admin GET /problems/{slug}": [],

    "console GET /": .operate, "console GET /console": .operate, "console POST /console/find": .operate,
    "console GET /console/find": .operate, "console GET /console/sessions": .operate,
    "console POST /console/sessions/{key}/work/{id}/retry": .operate,
    "console POST /console/sessions/{key}/work/{id}/give-up": .operate,
    "console GET /console/apps": .operate, "console GET /console/sessions/{key}": .operate,
    "console GET /console/apps/{app}": .operate, "console GET /console.css": [], "console GET /console.js": [],
    "console GET /usher.css": [], "console GET /problems/{slug}": [],
  ]

  /// The credential of a request.
  enum Column: CaseIterable {
    case anonymous, creator, actor, operator_, signaler, all, invalid

    var permissions: Permissions? {
      switch self {
      case .creator: .create
      case .actor: .act
      case .operator_: .operate
      case .signaler: .signal
      case .all: .all
      case .anonymous, .invalid: nil
      }
    }

    /// Returns the status of the refusal; nil if the request is admitted.
    func refusal(_ required: Permissions, anonymous: Permissions) -> Int? {
      if required.isEmpty { return nil }
      if self == .invalid { return 401 }
      guard let permissions else { return anonymous.isSuperset(of: required) ? nil : 401 }
      return permissions.isSuperset(of: required) ? nil : 403
    }
  }

  private static func name(_ part: GuardedService.Part, _ route: Route) -> String {
    "\(part.rawValue) \(route.method.name) \(route.path)"
  }

  @Test func `the table has exactly one row for every route`() {
    let routes = GuardedService.Part.allCases.flatMap { part in part.routes.map { Self.name(part, $0) } }
    #expect(Set(routes) == Set(Self.rows.keys))
    #expect(routes.count == Self.rows.count)
  }

  @Test(arguments: [nil, [.create, .act]] as [Permissions?], GuardedService.Part.allCases)
  func `every route admits and refuses requests according to the table`(
    anonymous: Permissions?, part: GuardedService.Part
  ) async throws {
    let service = try GuardedService(anonymous: anonymous)
    for route in part.routes {
      let required = try #require(Self.rows[Self.name(part, route)])
      for column in Column.allCases {
        let refusal = column.refusal(required, anonymous: anonymous ?? [])
        var headers = column.permissions.map { service.bearer($0) } ?? [:]
        if column == .invalid { headers["Authorization"] = "Bearer usher_wrong" }
        for method in route.method == .get ? ["GET", "HEAD"] : [route.method.name] {
          let answer = try await service.send(method, Self.target(of: route), headers: headers, to: part)
          let cell = "\(Self.name(part, route)), \(method), \(column): \(answer.status)"
          if let refusal {
            #expect(answer.status == refusal, "\(cell)")
            let challenge = answer.header("WWW-Authenticate") ?? ""
            #expect(challenge == Self.challenge(column, required), "\(cell) \(challenge)")
          } else {
            #expect(![401, 403].contains(answer.status), "\(cell)")
            #expect(answer.header("WWW-Authenticate") == nil)
          }
        }
      }
    }
  }

  private static func challenge(_ column: Column, _ required: Permissions) -> String {
    let bearer = #"Bearer realm="usher""#
    switch column {
    case .anonymous: return bearer
    case .invalid: return bearer + #", error="invalid_token""#
    default: return bearer + #", error="insufficient_scope", scope="\#(required.scopes)""#
    }
  }

  /// Returns the path with a value for each placeholder.
  private static func target(of route: Route) -> String {
    let values = [
      "{id}": "AAAAAAAAAAAAAAAAAAAAAA", "{action}": "next", "{tab}": "main", "{app}": "pages", "{slug}": "not-found",
      "{key}": String(repeating: "0", count: 64), "{code}": "AAAAAAAAAAAAAAAAAAAAAA",
      "{subject}": "nobody", "{link}": "nowhere",
    ]
    return values.reduce(route.path) { $0.replacing($1.key, with: $1.value) }
  }
}

/// The access to sessions of other principals: every route with a session is requested by every principal that may use
/// sessions and does not own it.
@Suite(.limitedConcurrency) struct OwnershipTableTests {
  private static let owner: Permissions = [.create, .act]

  /// A principal that may use sessions, but does not own those of the test.
  enum Column: CaseIterable {
    case other, operator_, anonymous

    var permissions: Permissions? {
      switch self {
      case .other: .act
      case .operator_: .all
      case .anonymous: nil
      }
    }
  }

  private static let routes = API.routes.filter { $0.path.contains("{id}") || $0.path.contains("{code}") }

  private let service: GuardedService

  init() throws { service = try GuardedService(anonymous: [.create, .act]) }

  private func bearer(_ permissions: Permissions?) -> [String: String] { permissions.map { service.bearer($0) } ?? [:] }

  /// Creates a session of the owner in every state, and returns its ID and its hand-over code.
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
  func `other principals cannot tell a session from an unknown one, byte for byte`(accept: String) async throws {
    let secret = String(repeating: "A", count: 22)
    let unknownCode = secret + secret + String(repeating: "B", count: 21) + "A"
    for (state, id, code) in try await sessions() {
      // The unknown ID has the same length, so that the lengths in the responses agree.
      let unknownID = id.count > 22 ? "\(secret).\(secret)" : secret
      for route in Self.routes {
        for column in Column.allCases {
          func answer(_ id: String, _ code: String) async throws -> (status: Int, text: String, headers: [String]) {
            let target = Self.target(of: route, id, code)
            let answer = try await send(
              route.method.name, target, Self.body(of: route), column.permissions, accept: accept)
            let text = answer.text.replacing(code, with: "CODE").replacing(id, with: "ID")
            let names = ["Content-Type", "Content-Length", "Cache-Control", "ETag", "Location", "Retry-After", "Allow"]
            return (answer.status, text, names.map { answer.header($0) ?? "" })
          }
          let (found, unknown) = (try await answer(id, code), try await answer(unknownID, unknownCode))
          let cell = "\(route.method.name) \(route.path), \(state), \(column), \(accept)"
          #expect(found == unknown, "\(cell)")
          // An unavailable media type is 406 for every ID.
          #expect([404, 406].contains(found.status), "\(cell): \(found)")
        }
      }
    }
  }

  @Test func `the owner has access to every route`() async throws {
    // An event stream does not end by itself.
    for route in Self.routes where !route.path.hasSuffix("/events") {
      for session in try await sessions() where session.state != "ended" {
        // The hand-over has consumed the code.
        let target = Self.target(of: route, session.id, session.code)
        if session.state == "handed over", target.contains(session.code) { continue }
        let answer = try await send(route.method.name, target, Self.body(of: route), Self.owner)
        #expect(
          answer.status < 500 && ![401, 403, 404].contains(answer.status),
          "\(route.method.name) \(route.path), \(session.state): \(answer.text)")
      }
    }
  }

  @Test func `an anonymous session is open to every client that knows its address`() async throws {
    let path = try #require(
      try await send("POST", "/v1/sessions", #"{"app":"shop"}"#, nil).json["links", "self"].string)
    for column in Column.allCases { #expect(try await send("GET", path, nil, column.permissions).status == 200) }
  }

  @Test func `idempotency keys are separate for each principal`() async throws {
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
    route.path.hasSuffix("/open")
      ? #"{"link":"/nowhere"}"# : route.path.hasSuffix("/locale") ? #"{"locale":"de"}"# : nil
  }

  private static func target(of route: Route, _ id: String, _ code: String) -> String {
    let values = ["{id}": id, "{code}": code, "{action}": "buy", "{tab}": "main", "{event}": "1"]
    let isOwnOffer = route.method == .get && route.path.hasSuffix("/hand-over")
    return values.reduce(route.path + (isOwnOffer ? "?code={code}" : "")) { $0.replacing($1.key, with: $1.value) }
  }
}
