import ArgumentParser
import Foundation
import Testing
import Usher

@testable import UsherCommandLine

private struct Lobby: Coordinator {
  static let name = "lobby"
  func start(_ nav: inout Navigator<Self>) { nav.push(Door()) }
  static let wiring = Wiring<Self>().shows(Door.self)
}

private struct Door: Screen {
  static let name = "door"
  static let title: Title<Self> = "Door"
}

private struct ClinicKiosk: UsherMain {
  static let apps = [App("check-in", title: "Check-in") { Lobby() }]
}

private struct Named: UsherMain {
  static let name = "front-desk"
  static let version = "3.2.1"
  static let apps = [App("check-in", title: "Check-in") { Lobby() }]
}

/// An app whose coordinator handles no action of its screen.
private struct Faulty: UsherMain {
  struct Hall: Coordinator {
    static let name = "hall"
    func start(_ nav: inout Navigator<Self>) { nav.push(Bell()) }
    static let wiring = Wiring<Self>().shows(Bell.self)
  }

  struct Bell: Screen {
    static let name = "bell"
    static let title: Title<Self> = "Bell"
    static let actions: [any Action.Type] = [Ring.self]
  }

  struct Ring: Action {
    static let name = "ring"
    static let title: Text = "Ring"
  }

  static let apps = [App("faulty", title: "Faulty") { Hall() }]
}

/// The command line of a program that hosts its own apps.
@Suite struct CommandLineTests {
  @Test func `a program takes its name from its type unless it declares one`() {
    #expect(ClinicKiosk.name == "clinic-kiosk")
    #expect(ClinicKiosk.version == usherVersion)
    #expect(Named.name == "front-desk")
    #expect(Named.version == "3.2.1")
  }

  @Test(arguments: ["serve", "config", "health", "apps", "token", "play"])
  func `every command has help under the program's name`(command: String) {
    let root = RootCommand<Named>.helpMessage(columns: 200)
    #expect(root.contains("\n  \(command) "))
    let help = RootCommand<Named>.message(["help", command])
    #expect(help.contains("USAGE: front-desk \(command)"), "\(help)")
    #expect(!help.contains("usher "), "\(help)")
  }

  @Test func `the help shows the program's apps`() {
    let help = RootCommand<Named>.helpMessage(columns: 200)
    #expect(help.contains(#"front-desk serve"#))
    #expect(help.contains(#"{"app": "check-in"}"#))
    #expect(!help.contains("usher "), "\(help)")
    #expect(RootCommand<Named>.message(["--version"]) == "3.2.1")
  }

  @Test(arguments: ["serve --port 0 --store memory", "apps"])
  func `wiring faults are printed as text`(line: String) async throws {
    var command = try RootCommand<Faulty>.parseAsRoot(line.split(separator: " ").map(String.init))
    do {
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      Issue.record("The command succeeded.")
    } catch {
      let message = RootCommand<Faulty>.fullMessage(for: error)
      #expect(message.hasPrefix("Error: The app faulty has 1 fault:\n  hall › bell › ring: "), "\(message)")
      #expect(RootCommand<Faulty>.exitCode(for: error) == .failure)
    }
  }
}

extension ParsableCommand {
  /// The text that the executable prints for these arguments, such as a help text.
  fileprivate static func message(_ arguments: [String]) -> String {
    do {
      var command = try parseAsRoot(arguments)
      try command.run()
      return ""
    } catch {
      return fullMessage(for: error, columns: 200)
    }
  }
}
