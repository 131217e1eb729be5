internal import ArgumentParser
internal import Navigation
internal import UsherHost

extension RootCommand {
  /// `apps`
  struct Apps: ParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "apps",
        abstract: "Lists the apps that can be served, after checking how they are wired.")
    }

    func run() throws {
      for app in try AppHost(apps: Main.apps).apps {
        print("\(app.name)\t\(app.title.string), version \(app.version), \(app.screens.count) screens")
      }
    }
  }
}
