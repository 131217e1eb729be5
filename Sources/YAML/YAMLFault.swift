/// A location in a file.
public struct SourceMark: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The path of the file, such as `flow.yaml`.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column in Unicode code points, from 1.
  public let column: Int

  package init(file: String, line: Int, column: Int) {
    (self.file, self.line, self.column) = (file, line, column)
  }

  /// The location as compilers write it: `flow.yaml:12:5`.
  public var description: String { "\(file):\(line):\(column)" }

  public static func < (one: SourceMark, other: SourceMark) -> Bool {
    (one.file, one.line, one.column) < (other.file, other.line, other.column)
  }
}

/// A fault in a file, with sentences that tell the author what to do.
package struct YAMLFault: Error {
  package let mark: SourceMark
  /// The sentences with an ellipsis instead of the content of the file, which may be secret.
  package let rule: String
  /// The part of the file that the sentences quote; nil if they quote none.
  private let content: String?

  package init(_ mark: SourceMark, _ rule: String, quoting content: String? = nil) {
    (self.mark, self.rule, self.content) = (mark, rule, content)
  }

  package var message: String { content.map { rule.replacing("…", with: $0) } ?? rule }
}

/// The kind of a file.
package struct YAMLDialect: Sendable {
  /// The files in messages, such as `Flow files`, and one of them.
  let files: String
  let file: String
  /// Whether plain scalars have types, and may be expressions. Otherwise all are texts.
  let hasTypes: Bool

  package static let flow = YAMLDialect(files: "Flow files", file: "A flow file", hasTypes: true)
  package static let settings = YAMLDialect(files: "Files of settings", file: "A file of settings", hasTypes: false)
  package static let document = YAMLDialect(files: "Documents", file: "A document", hasTypes: true)
}

extension String {
  /// The text in double quotes for a message: at most 40 code points, with control characters as escapes.
  package var quotedForMessage: String {
    let start = String(unicodeScalars.prefix(40))
    return (start.utf8.count < utf8.count ? start + "…" : start).debugDescription
  }
}
