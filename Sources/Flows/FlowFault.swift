/// A place in a file of a flow.
public struct SourceMark: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The path relative to the folder of the flow, such as `flow.yaml`.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode code points, from 1.
  public let column: Int

  /// The place as compilers write it: `flow.yaml:12:5`.
  public var description: String { "\(file):\(line):\(column)" }

  public static func < (one: SourceMark, other: SourceMark) -> Bool {
    (one.file, one.line, one.column) < (other.file, other.line, other.column)
  }
}

/// A mistake in a file of a flow, with sentences that tell the author what to do.
public struct FlowFault: Error, Hashable, Sendable, Comparable, CustomStringConvertible {
  public enum Severity: String, Hashable, Sendable {
    /// The flow is refused.
    case error
    /// The flow is accepted, but probably means something else.
    case warning
  }

  public let mark: SourceMark
  public let message: String
  public let severity: Severity

  init(_ mark: SourceMark, _ message: String, severity: Severity = .error) {
    self.mark = mark
    self.message = message
    self.severity = severity
  }

  /// Orders faults by their places.
  public static func < (one: FlowFault, other: FlowFault) -> Bool {
    (one.mark, one.message) < (other.mark, other.message)
  }

  /// The message with its place: `flow.yaml:12:5: error: The key "app" is already at line 2, column 1.`
  public var description: String { "\(mark): \(severity.rawValue): \(message)" }
}

extension String {
  /// The text in a message: as it is if it is a plain word, and otherwise in double quotes.
  var shortened: String {
    let isPlain = utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "-_.".utf8.contains(byte)
    }
    return isPlain && (1...40).contains(utf8.count) ? self : quotedForMessage
  }

  /// The text in double quotes for a message: at most 40 code points, with control characters as escapes.
  var quotedForMessage: String {
    let start = String(unicodeScalars.prefix(40))
    return (start.utf8.count < utf8.count ? start + "…" : start).debugDescription
  }
}
