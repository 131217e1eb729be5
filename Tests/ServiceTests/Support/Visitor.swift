import Testing

/// A client of one session: it knows the last view and does what that view offers.
final class Visitor {
  let service: TestService
  private(set) var last: Answer

  init(_ service: TestService, _ created: Answer) throws {
    self.service = service
    last = created
    try #require(created.status == 201, "\(created.json)")
  }

  var view: JSON { last.json }
  var path: String { view["links", "self"].string ?? "" }
  var screen: String? { view["screen", "name"].string }
  var data: JSON { view["screen", "data"] }
  var revision: Int? { view["session", "revision"].int }
  var stack: [String] { view["navigation", "stack"].strings("name") }
  var navigation: JSON { view["navigation"] }

  func action(_ name: String) -> JSON { JSON.first(of: view["actions"], named: name) }
  func tab(_ name: String) -> JSON { JSON.first(of: navigation["tabs", "items"], named: name) }

  /// Does something and takes the view that comes of it.
  @discardableResult
  func post(_ part: String, _ body: String? = nil) async throws -> Visitor {
    let answer = try await service.send("POST", path + part, body)
    try #require(answer.status == 200, "\(part): \(answer.json)")
    last = answer
    return self
  }

  @discardableResult
  func act(_ action: String, _ input: String? = nil) async throws -> Visitor {
    try await post("/actions/\(action)", input)
  }

  @discardableResult
  func back() async throws -> Visitor { try await post("/back") }

  /// Tries something that is expected to fail; the view stays.
  func attempt(_ part: String, _ body: String? = nil) async throws -> Answer {
    try await service.send("POST", path + part, body)
  }

  /// The coordinator tree in one line, such as `first > second`, siblings in brackets.
  func tree() async throws -> String {
    line(try await service.send("GET", path + "/tree").json["root"])
  }

  /// The ids of the coordinators, by their names.
  func nodes() async throws -> [String: Int] {
    var ids: [String: Int] = [:]
    func collect(_ node: JSON) {
      ids[node["name"].string ?? ""] = node["id"].int
      node["children"].array.forEach(collect)
    }
    collect(try await service.send("GET", path + "/tree").json["root"])
    return ids
  }

  private func line(_ node: JSON) -> String {
    let children = node["children"].array.map(line)
    let name = node["name"].string ?? "?"
    return switch children.count {
    case 0: name
    case 1: "\(name) > \(children[0])"
    default: "\(name) > [\(children.joined(separator: ", "))]"
    }
  }
}

extension JSON {
  static func first(of list: JSON, named name: String) -> JSON {
    list.array.first { $0["name"].string == name } ?? JSON(nil)
  }
}
