import Foundation
import Logging
import Observability
import Synchronization

/// A folder for one test, and what is logged about the files in it.
final class TestFolder: Sendable {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "usher-access-\(UUID())")
  private let written = Mutex("")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Writes a file as editors do: another one takes its place at once.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    return path(name)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  var logger: Logger {
    Logger(label: "test") { _ in
      JSONLogHandler(level: .info) { line in self.written.withLock { $0 += String(decoding: line, as: UTF8.self) } }
    }
  }

  /// The errors that were logged.
  var complaints: [Substring] {
    written.withLock { $0 }.split(separator: "\n").filter { $0.contains(#""level":"error""#) }
  }
}
