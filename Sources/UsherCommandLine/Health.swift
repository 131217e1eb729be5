internal import ArgumentParser
internal import Foundation
internal import HTTPTransport
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
      do {
        let request = HTTPRequest("GET", url, timeouts: .init(connect: .seconds(3), total: .seconds(3)))
        let response = try await SystemTransport.shared.send(request, limit: 65536)
        Output.print(String(decoding: response.body, as: UTF8.self))
        guard response.status == 200 else { throw ExitCode.failure }
      } catch let error as TransportError {
        Output.log("\(error)", by: Main.name)
        throw ExitCode.failure
      }
    }
  }
}
