public import Navigation

/// The apps that a host has, and a choice among them.
struct HostedApps {
  private let definitions: [AppDefinition]

  /// Registers the apps.
  ///
  /// - Throws: everything that is wired wrongly in any of them.
  init(_ apps: [App], limits: AppDefinition.Limits) throws(HostFaults) {
    var definitions: [AppDefinition] = []
    var faults: [WiringFaults] = []
    for app in apps {
      do throws(WiringFaults) {
        let definition = try AppDefinition(app, limits: limits)
        if definitions.contains(where: { $0.name == app.name }) {
          throw WiringFaults(app: app.name, faults: [.init(place: app.name, .repeatedApp)])
        }
        definitions.append(definition)
      } catch {
        faults.append(error)
      }
    }
    guard faults.isEmpty else { throw HostFaults(apps: faults) }
    self.definitions = definitions
  }

  /// The apps of these names, in their order; all of them for nil.
  func chosen(_ names: [String]?) throws(HostFaults) -> [AppDefinition] {
    guard let names else { return definitions }
    guard Set(names).count == names.count, !names.isEmpty else {
      throw HostFaults(choice: names.isEmpty ? "No app is named." : "An app is named twice.")
    }
    var chosen: [AppDefinition] = []
    for name in names {
      guard let app = definitions.first(where: { $0.name == name }) else {
        let known = definitions.map(\.name).joined(separator: ", ")
        throw HostFaults(choice: "There is no app \"\(name)\". The apps are: \(known).")
      }
      chosen.append(app)
    }
    return chosen
  }
}

/// Why apps cannot be hosted.
public struct HostFaults: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wired wrongly: the apps with faults, in the order of the host's apps.
  public let apps: [WiringFaults]
  /// What is wrong with the choice of apps, as one sentence.
  public let choice: String?

  init(apps: [WiringFaults] = [], choice: String? = nil) {
    self.apps = apps
    self.choice = choice
  }

  public var description: String { choice ?? apps.map(\.description).joined(separator: "\n") }
}
