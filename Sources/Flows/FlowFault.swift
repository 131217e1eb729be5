internal import Values
public import YAML

/// A fault in a file of a flow, with sentences that tell the author what to do.
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

  init(_ fault: YAMLFault) { self.init(fault.mark, fault.message) }

  init(_ mark: SourceMark, _ message: String, severity: Severity = .error) {
    self.mark = mark
    self.message = message
    self.severity = severity
  }

  /// Orders faults by their locations.
  public static func < (one: FlowFault, other: FlowFault) -> Bool {
    (one.mark, one.message) < (other.mark, other.message)
  }

  /// The message with its location: `flow.yaml:12:5: error: The key "app" is already at line 2, column 1.`
  public var description: String { "\(mark): \(severity.rawValue): \(message)" }
}

extension String {
  /// The text in a message: as it is if it is a plain word, and otherwise in double quotes.
  var shortened: String {
    let isPlain = utf8.allSatisfy { $0.isASCIILetterOrDigit || "-_.".utf8.contains($0) }
    return isPlain && (1...40).contains(utf8.count) ? self : quotedForMessage
  }
}
