import Access
import MicroHTTP
import Testing

@testable import HTTPAPI

/// The permissions that each route requires, for principals with each set of permissions. ``OwnershipTableTests`` has the owners.
@Suite(.limitedConcurrency) struct `The table of access` {
  /// The required permissions by server, method and path. A new route needs a row here.
  static let rows: [String: Permissions] = [
    "service GET /": [], "service GET /v1/apps": [], "service GET /v1/apps/{app}": [],
    "service GET /openapi.yaml": [], "service GET /openapi.json": [], "service GET /problems/{slug}": [],
    "service GET /usher.css": [], "service GET /page.js": [], "service GET /usher.js": [],
    "service GET /livez": [], "service GET /readyz": [], "service GET /metrics": .operate,
    "service POST /v1/sessions": .create,
    "service GET /v1/sessions/{id}": .act, "service DELETE /v1/sessions/{id}": .act,
    "service POST /v1/sessions/{id}/actions/{action}": .act, "service POST /v1/sessions/{id}/back": .act,
    "service POST /v1/sessions/{id}/dismiss": .act, "service POST /v1/sessions/{id}/tabs/{tab}": .act,
    "service POST /v1/sessions/{id}/open": .act, "service GET /v1/sessions/{id}/tree": .act,
    "service GET /v1/sessions/{id}/history": .act, "service GET /v1/sessions/{id}/events": .act,
    "service POST /v1/sessions/{id}/hand-over": .act, "service GET /v1/sessions/{id}/hand-over": .act,
    "service GET /v1/hand-overs/{code}": .act,
    "service POST /v1/hand-overs/{code}": .act,

    "admin GET /metrics": .operate, "admin GET /livez": [], "admin GET /readyz": [], "admin GET /problems/{slug}": [],

    "console GET /": .operate, "console GET /console": .operate, "console POST /console/find": .operate,
    "console GET /console/find": .operate, "console GET /console/sessions": .operate,
    "console GET /console/apps": .operate, "console GET /console/sessions/{key}": .operate,
    "console GET /console/apps/{app}": .operate, "console GET /console.css": [], "console GET /console.js": [],
    "console GET /usher.css": [], "console GET /problems/{slug}": [],
  ]

  /// The author of a request.
  enum Column: CaseIterable {
    case nobody, creator, actor, operator_, everything, wrong

    var permissions: Permissions? {
      switch self {
      case .creator: .create
      case .actor: .act
      case .operator_: .operate
      case .everything: .all
      case .nobody, .wrong: nil
      }
    }

    /// Returns the status of the refusal; nil if the request is admitted.
    func refusal(_ required: Permissions, anonymous: Permissions) -> Int? {
      if required.isEmpty { return nil }
      if self == .wrong { return 401 }
      guard let permissions else { return anonymous.isSuperset(of: required) ? nil : 401 }
      return permissions.isSuperset(of: required) ? nil : 403
    }
  }

  private static func name(_ part: GuardedService.Part, _ route: Route) -> String {
    "\(part.rawValue) \(route.method.name) \(route.path)"
  }

  @Test func `has a row for every route, and no other`() {
    let routes = GuardedService.Part.allCases.flatMap { part in part.routes.map { Self.name(part, $0) } }
    #expect(Set(routes) == Set(Self.rows.keys))
    #expect(routes.count == Self.rows.count)
  }

  @Test(arguments: [nil, [.create, .act]] as [Permissions?], GuardedService.Part.allCases)
  func `holds in every cell`(anonymous: Permissions?, part: GuardedService.Part) async throws {
    let service = try GuardedService(anonymous: anonymous)
    for route in part.routes {
      let required = try #require(Self.rows[Self.name(part, route)])
      for column in Column.allCases {
        let refusal = column.refusal(required, anonymous: anonymous ?? [])
        var headers = column.permissions.map { service.bearer($0) } ?? [:]
        if column == .wrong { headers["Authorization"] = "Bearer usher_wrong" }
        for method in route.method == .get ? ["GET", "HEAD"] : [route.method.name] {
          let answer = try await service.send(method, Self.target(of: route), headers: headers, to: part)
          let cell = "\(Self.name(part, route)), \(method), \(column): \(answer.status)"
          if let refusal {
            #expect(answer.status == refusal, "\(cell)")
            let said = answer.header("WWW-Authenticate") ?? ""
            #expect(said == Self.challenge(column, required), "\(cell) \(said)")
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
    case .nobody: return bearer
    case .wrong: return bearer + #", error="invalid_token""#
    default: return bearer + #", error="insufficient_scope", scope="\#(required.scopes)""#
    }
  }

  /// Returns the path with a value for each placeholder.
  private static func target(of route: Route) -> String {
    let values = [
      "{id}": "AAAAAAAAAAAAAAAAAAAAAA", "{action}": "next", "{tab}": "main", "{app}": "pages", "{slug}": "not-found",
      "{key}": String(repeating: "0", count: 64), "{code}": "AAAAAAAAAAAAAAAAAAAAAA",
    ]
    return values.reduce(route.path) { $0.replacing($1.key, with: $1.value) }
  }
}
