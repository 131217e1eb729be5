import Foundation
import Logging
import Observability
import Synchronization

/// What is logged, to be looked at.
final class TestLog: Sendable {
  private let text = Mutex("")

  var logger: Logger {
    Logger(label: "test") { _ in
      JSONLogHandler(level: .info) { line in self.text.withLock { $0 += String(decoding: line, as: UTF8.self) } }
    }
  }

  /// The lines, oldest first.
  var lines: [JSON] {
    text.withLock { $0 }.split(separator: "\n").map { JSON(try? JSONSerialization.jsonObject(with: Data($0.utf8))) }
  }
}
