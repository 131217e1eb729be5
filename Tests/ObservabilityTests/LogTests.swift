import Foundation
import Logging
import Observability
import Synchronization
import Testing

/// The log in JSON.
@Suite struct LogTests {
  private final class Lines: Sendable {
    let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    func logger(_ level: Logger.Level = .info) -> Logger {
      Logger(label: "test") { _ in
        JSONLogHandler(level: level) { line in self.bytes.withLock { $0 += line } }
      }
    }
  }

  private struct Broken: Error, CustomStringConvertible { let description = "it \"broke\"\nhere" }

  @Test(arguments: [
    "plain", "two\nlines", "\r\n", "\u{0}\u{1B}[2J\u{7F}", #"{"level":"error"}"#, "\"\\", "\u{2028}\u{2029}", "€😀",
    String(repeating: "long ", count: 10_000), "",
  ])
  func `every event is one object on one line, with any characters`(text: String) throws {
    let lines = Lines()
    var logger = lines.logger()
    logger[metadataKey: "of the logger"] = "\(text)"
    logger.info(
      "\(text)",
      metadata: [text: "key", "list": [.string(text), "b"], "map": ["a": .string(text)], "n": .stringConvertible(5)])
    logger.error("failed", error: Broken())
    let written = lines.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(written.count == 3)
    #expect(written[2].isEmpty)
    let first = try #require(try JSONSerialization.jsonObject(with: Data(written[0].utf8)) as? [String: Any])
    #expect(first["message"] as? String == text)
    #expect(first["of the logger"] as? String == text)
    #expect(first["list"] as? [String] == [text, "b"])
    #expect(first["map"] as? [String: String] == ["a": text])
    #expect(first["n"] as? Int == 5)
    let second = try #require(try JSONSerialization.jsonObject(with: Data(written[1].utf8)) as? [String: Any])
    #expect(second["level"] as? String == "error")
    #expect(second["error"] as? String == "it \"broke\"\nhere")
  }

  @Test func `metadata does not replace reserved members`() throws {
    let lines = Lines()
    lines.logger().warning("said", metadata: ["message": "forged", "level": "forged", "time": "forged"])
    #expect(!lines.text.contains("forged"))
    #expect(lines.text.contains(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","level":"warning","message":"said"/))
  }

  @Test func `events below the level are omitted`() {
    let lines = Lines()
    lines.logger(.warning).info("nothing")
    #expect(lines.text.isEmpty)
  }
}
