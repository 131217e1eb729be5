import MicroHTTP
import TestSupport
import Testing
import Usher

@testable import HTTPAPI

/// The rows of the route table have the contract that `openapi.yaml` documents.
@Suite(.limitedConcurrency) struct RouteTableTests {
  let document: JSON
  private var validator: SchemaValidator { SchemaValidator(document: document) }

  init() async throws {
    document = try await TestService(.inProcess).send("GET", "/openapi.json").json
  }

  @Test(arguments: API.routes.indices)
  func `a route takes the documented query parameters`(index: Int) {
    let route = API.routes[index]
    let parameters = document["paths", route.path, "parameters"].array + operation(of: route)["parameters"].array
    let documented = parameters.map(validator.resolve).filter { $0["in"].string == "query" }.strings("name")
    #expect(Set(route.query.map(\.description)) == Set(documented), "\(route.method.name) \(route.path)")
  }

  @Test(arguments: API.routes.indices)
  func `a route offers the documented content types`(index: Int) {
    let route = API.routes[index]
    let responses = operation(of: route)["responses"]
    let documented = responses.keys.filter { $0.hasPrefix("2") }.flatMap { status in
      validator.resolve(responses[status])["content"].keys
    }
    switch route.content {
    case .fixed: #expect(Set(documented).count <= 1, "\(route.method.name) \(route.path)")
    case .mediaType(let type): #expect(Set(documented) == [type], "\(route.method.name) \(route.path)")
    case .representations(let offered):
      // A browser that changes a session is redirected to its page.
      var types = Set(offered.map(\.mediaType))
      if route.method == .post { types.remove("text/html") }
      #expect(Set(documented) == types, "\(route.method.name) \(route.path)")
    }
  }

  @Test(arguments: API.routes.indices)
  func `a route accepts the documented body`(index: Int) {
    let route = API.routes[index]
    let content = validator.resolve(operation(of: route)["requestBody"])["content"]
    let types: Set<String> = ["application/json", "application/x-www-form-urlencoded"]
    #expect(content.keys.isSubset(of: types) && content.isMissing == (route.body == .none), "\(route.path)")
    guard case .object(let members) = route.body else { return }
    let schema = validator.resolve(content["application/json", "schema"])
    #expect(schema["properties"].keys == Set(members), "\(route.method.name) \(route.path)")
  }

  private func operation(of route: Route) -> JSON {
    document["paths", route.path, route.method.name.lowercased()]
  }
}

extension [JSON] {
  fileprivate func strings(_ name: String) -> [String] { compactMap { $0[name].string } }
}
