import ArgumentParser
import ExampleApps
import Usher

extension UsherCommand {
  /// `usher apps`
  struct Apps: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the apps that can be served, after checking how they are wired.")

    func run() throws {
      for app in try AppHost(apps: ExampleApps.all).apps {
        print("\(app.name)\t\(app.title.string), version \(app.version), \(app.screens.count) screens")
      }
    }
  }
}
