import Flows
import Foundation
import Navigation
import Testing

/// The folders of flows in the repository.
enum FlowFolder {
  static let repository = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Returns the folders of the example flows.
  static func examples() throws -> [URL] {
    try ["Flows", "Journeys"].flatMap { name in
      let folder = repository.appending(path: "Examples/\(name)")
      return try names(in: folder).map { folder.appending(path: $0) }
    }
  }

  static var fixtures: URL { repository.appending(path: "Tests/Flows") }

  /// Returns the names of the folders in a folder.
  static func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
  }

  /// Reads the files of a flow.
  static func files(of folder: URL) throws -> [Flow.File] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".yaml") || $0.hasSuffix(".yml")
    }
    return try paths.sorted().map { path in
      Flow.File(path: path, bytes: [UInt8](try Data(contentsOf: folder.appending(path: path))))
    }
  }

  /// Returns the app of a flow with one file.
  static func app(_ text: String) throws -> AppDefinition {
    let compilation = Flow.compile([Flow.File(path: "flow.yaml", bytes: Array(text.utf8))])
    return try #require(compilation.app, "\(compilation.faults)\n\(text)")
  }

  static func check(_ folder: URL) throws -> Flow.Compilation { Flow.check(try files(of: folder)) }
}
