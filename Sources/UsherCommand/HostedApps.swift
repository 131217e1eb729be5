import ExampleApps
import Usher

/// A choice among the apps that this executable brings along.
enum HostedApps {
  /// The front ends that it brings along for these apps.
  static func frontEnds(of apps: [AppDefinition]) -> [String: StaticFile] {
    guard apps.contains(where: { $0.name == ExampleApps.shop.name }) else { return [:] }
    return ["/examples/shop": StaticFile(ExampleApps.shopFrontEnd, type: "text/html; charset=utf-8")]
  }

  /// The apps of these names, in their order; all of them for nil.
  ///
  /// - Throws: a sentence that names the apps there are.
  static func named(_ names: [String]?) throws -> [App] {
    let apps = ExampleApps.all
    let chosen = try (names ?? apps.map(\.name)).map { name in
      guard let app = apps.first(where: { $0.name == name }) else {
        let known = apps.map(\.name).joined(separator: ", ")
        throw HostedAppsError("There is no app \"\(name)\". The apps are: \(known).")
      }
      return app
    }
    guard Set(chosen.map(\.name)).count == chosen.count else { throw HostedAppsError("An app is named twice.") }
    return chosen
  }
}

/// A choice of apps that cannot be served, as one sentence.
struct HostedAppsError: Error, CustomStringConvertible {
  let description: String

  init(_ sentence: String) { description = sentence }
}
