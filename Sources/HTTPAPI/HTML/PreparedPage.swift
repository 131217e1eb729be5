internal import Values

/// A page as it came out of its template for one shape, with the places where the texts go.
final class PreparedPage: Sendable {
  private let html: [UInt8]
  /// After so many bytes of `html` stands this text.
  private let slots: [(end: Int, text: Int)]

  var size: Int { html.count + slots.count * MemoryLayout<(Int, Int)>.size }

  /// - Parameter marked: what the template made of the marks of ``mark(_:)``.
  init(_ marked: String) {
    var html: [UInt8] = []
    var slots: [(Int, Int)] = []
    for (index, part) in marked.split(separator: Self.fence, omittingEmptySubsequences: false).enumerated() {
      // Between two fences is the number of a text.
      if index.isMultiple(of: 2) { html += part.utf8 } else if let text = Int(part) { slots.append((html.count, text)) }
    }
    self.html = html
    self.slots = slots
  }

  /// Stands for a text while the template is rendered. No template has the character, which is of the private use area.
  static func mark(_ text: Int) -> String { "\(fence)\(text)\(fence)" }

  private static let fence: Character = "\u{E000}"

  /// The page with these texts, each escaped.
  func filled(with texts: [String]) -> ByteWriter {
    var page = ByteWriter(pooled: html.count + 1024)
    var start = 0
    for slot in slots {
      page.append(html[start..<slot.end])
      page.append(escapingHTML: texts[slot.text])
      start = slot.end
    }
    page.append(html[start...])
    return page
  }
}

extension ByteWriter {
  /// A text as it stands in an element or between quotes (HTML, section 13.3).
  fileprivate mutating func append(escapingHTML text: String) {
    let bytes = text.utf8Span.span
    var start = 0
    // All that is special comes before the letters.
    for index in bytes.indices where bytes[index] < 0x40 {
      if let escaped = Self.escaped(bytes[index]) {
        append(bytes.extracting(start..<index))
        append(literal: escaped)
      } else if Self.isForbidden(bytes[index]) {
        append(bytes.extracting(start..<index))
        // Its picture: U+2400 and what follows.
        append([0xE2, 0x90, 0x80 | bytes[index]])
      } else {
        continue
      }
      start = index + 1
    }
    append(bytes.extracting(start..<bytes.count))
  }

  /// A control character that a document may not have (HTML, section 13.2.3.5).
  private static func isForbidden(_ character: UInt8) -> Bool {
    character < 0x20 && character != 0x09 && character != 0x0A && character != 0x0C && character != 0x0D
  }

  private static func escaped(_ character: UInt8) -> StaticString? {
    switch character {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }
}
