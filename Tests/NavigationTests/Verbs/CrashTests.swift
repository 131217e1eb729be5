import Foundation
import Testing
import Values

@testable import Navigation

/// Reports of crashes. Each test runs in a process of its own, which ends with the trap.
@Suite(.serialized) struct CrashTests {
  private static func report(_ result: ExitTest.Result) -> String {
    String(decoding: result.standardErrorContent, as: UTF8.self)
  }

  @Test func `a trap in a handler names the app, the coordinator and the action`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CrashReport.install()
      let app = try AppDefinition(App("mine", title: "Mine") { Shaft() })
      let state = try app.create()
      _ = try app.perform(.action(name: "dig", input: ["depth": 7]), on: state)
    }
    #expect(Self.report(result).contains("Fatal: the code of the app mine crashed: coordinator shaft, action dig\n"))
  }

  @Test func `a trap in a screen names the app, the coordinator and the screen`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CrashReport.install()
      let app = try AppDefinition(App("mine", title: "Mine") { Shaft() })
      let state = try app.create()
      _ = try app.view(of: try app.perform(.action(name: "dig", input: ["depth": 1]), on: state))
    }
    #expect(
      Self.report(result).contains(
        "Fatal: the code of the app mine crashed: coordinator shaft, content of screen seam\n"))
  }

  @Test func `a trap in an event leaves the event in a file`() async throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "usher-crash-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    await #expect(processExitsWith: .failure) { [path = path as String] in
      CrashReport.install(eventFile: path)
      let app = try AppDefinition(App("mine", title: "Mine") { Shaft() })
      let state = try app.create()
      CrashReport.applying([1, 2, 3]) {}
      try CrashReport.applying([4, 5, 6, 7]) {
        _ = try app.perform(.action(name: "dig", input: ["depth": 7]), on: state)
      }
    }
    #expect(try Array(Data(contentsOf: URL(filePath: path))) == [4, 5, 6, 7])
    try FileManager.default.removeItem(atPath: path)
    // Neither a crash of the service itself nor one in an action has an event.
    await #expect(processExitsWith: .failure) { [path = path as String] in
      CrashReport.install(eventFile: path)
      CrashReport.applying([1, 2, 3]) { fatalError("elsewhere") }
    }
    await #expect(processExitsWith: .failure) { [path = path as String] in
      CrashReport.install(eventFile: path)
      let app = try AppDefinition(App("mine", title: "Mine") { Shaft() })
      let state = try app.create()
      CrashReport.applying([1, 2, 3]) {}
      _ = try app.perform(.action(name: "dig", input: ["depth": 7]), on: state)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a crash outside of an app's code names no app`() async throws {
    let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      CrashReport.install()
      let app = try AppDefinition(App("mine", title: "Mine") { Shaft() })
      _ = try app.create()
      fatalError("elsewhere")
    }
    #expect(!Self.report(result).contains("the code of the app"))
  }
}

private struct Shaft: Coordinator {
  static let name = "shaft"
  func start(_ nav: inout Navigator<Self>) { nav.push(Ground()) }
  static let wiring = Wiring<Self>()
    .shows(Ground.self)
    .shows(Seam.self)
    .on(Dig.self) { _, action, nav in
      let layers = ["soil", "clay"]
      nav.push(Seam(layer: layers[action.depth], depth: action.depth))
    }
}

private struct Ground: Screen {
  static let name = "ground"
  static let title: Title<Self> = "Ground"
  static let actions: [any Action.Type] = [Dig.self]
}

private struct Seam: Screen {
  static let name = "seam"
  static let title: Title<Self> = "Seam"
  var layer: String
  var depth: Int
  var content: [Block] { [.text("\(["above", layer].dropFirst(depth + 1).first!)")] }
}

private struct Dig: Action {
  static let name = "dig"
  static let title: Text = "Dig"
  @Field("Depth") var depth: Int
}
