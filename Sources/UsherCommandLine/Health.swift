internal import ArgumentParser
internal import Foundation
internal import FoundationNetworking
internal import MicroHTTP
internal import Settings
internal import UsherHost

extension RootCommand {
  /// `health`
  struct Health: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "health",
        abstract: "Asks the service of this machine whether it is ready, and exits with 0 or 1.",
        discussion: "It takes the settings of \(Main.name) serve, and asks at the address that they name.")
    }

    @OptionGroup var options: ServeOptions

    func run() async throws {
      let settings = try await options.read().settings
      let isEverywhere = ["0.0.0.0", "::"].contains(settings.server.host)
      let address = ListenAddress(
        host: isEverywhere ? "127.0.0.1" : settings.server.host, port: settings.adminPort ?? settings.server.port)
      guard let url = URL(string: "http://\(address)/readyz") else {
        throw ValidationError("\(address) is no address that can be asked.")
      }
      // A proxy that is set for what is outside would be asked for what is inside.
      setenv("no_proxy", "*", 1)
      do {
        let (body, response) = try await URLSession.shared.data(for: URLRequest(url: url, timeoutInterval: 3))
        Output.print(String(decoding: body, as: UTF8.self))
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw ExitCode.failure }
      } catch let error as URLError {
        Output.log("\(url) cannot be reached: \(error.localizedDescription)", by: Main.name)
        throw ExitCode.failure
      }
    }
  }
}
