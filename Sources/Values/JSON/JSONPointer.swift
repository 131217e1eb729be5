/// A JSON pointer (RFC 6901).
package enum JSONPointer {
  /// Returns a pointer to a member or an element of the part to which `pointer` leads.
  package static func adding(_ token: String, to pointer: String) -> String {
    var result = pointer
    append(token, to: &result)
    return result
  }

  package static func append(_ token: String, to pointer: inout String) {
    pointer += "/"
    for scalar in token.unicodeScalars {
      switch scalar {
      case "~": pointer += "~0"
      case "/": pointer += "~1"
      default: pointer.unicodeScalars.append(scalar)
      }
    }
  }

  /// Returns the text of an escaped token; nil if a `~` begins no escape.
  package static func unescaped(_ token: Substring) -> String? {
    let parts = token.unicodeScalars.split(separator: "~", omittingEmptySubsequences: false)
    var text = String(parts[0])
    for part in parts.dropFirst() {
      guard let digit = part.first, digit == "0" || digit == "1" else { return nil }
      text += (digit == "0" ? "~" : "/") + String(part.dropFirst())
    }
    return text
  }
}
