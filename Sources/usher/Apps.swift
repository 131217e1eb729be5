import ArgumentParser
import ExampleApps
import Navigation

extension Usher {
  /// `usher apps`
  struct Apps: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the apps that can be served, after checking how they are wired.")

    func run() throws {
      for app in try HostedApps.definitions(of: nil, depth: AppDefinition.Limits().depth) {
        print("\(app.name)\t\(app.title.string), version \(app.version), \(app.screens.count) screens")
      }
    }
  }
}
