/// A JSON pointer (RFC 6901).
enum JSONPointer {
  /// Returns a pointer to a member or an element of the part to which `pointer` leads.
  static func adding(_ token: String, to pointer: String) -> String {
    var result = pointer
    append(token, to: &result)
    return result
  }

  static func append(_ token: String, to pointer: inout String) {
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
  static func unescaped(_ token: Substring) -> String? {
    var text = ""
    var scalars = token.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "~" else {
        text.unicodeScalars.append(scalar)
        continue
      }
      switch scalars.next() {
      case "0": text += "~"
      case "1": text += "/"
      default: return nil
      }
    }
    return text
  }
}
