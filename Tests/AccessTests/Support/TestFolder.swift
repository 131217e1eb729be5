import Foundation
import Logging
import Observability
import Synchronization

/// A temporary folder for one test, and the log about its files.
final class TestFolder: Sendable {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "usher-access-\(UUID())")
  private let log = Mutex("")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  /// Replaces a file atomically, as editors do.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    return path(name)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  var logger: Logger {
    Logger(label: "test") { _ in
      JSONLogHandler(level: .info) { line in self.log.withLock { $0 += String(decoding: line, as: UTF8.self) } }
    }
  }

  /// The logged errors.
  var errors: [Substring] {
    log.withLock { $0 }.split(separator: "\n").filter { $0.contains(#""level":"error""#) }
  }
}
