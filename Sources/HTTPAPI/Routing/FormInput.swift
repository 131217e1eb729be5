internal import Languages
internal import Navigation
internal import Values

/// A submitted form (URL Standard, section 5.1).
package struct FormInput {
  /// The texts of the fields of each name, in their order.
  let texts: [String: [String]]

  /// Parses a form.
  init(_ body: [UInt8]) throws(Problem) {
    guard let text = String(validating: body, as: UTF8.self) else {
      throw .invalidRequest(.formNotUTF8)
    }
    var texts: [String: [String]] = [:]
    // Splits bytes: in Swift, a combining character merges with the separator before it.
    for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0]), let value = sides.count > 1 ? Self.decoded(sides[1]) : "" else {
        throw .invalidRequest(.formEncoding)
      }
      texts[name, default: []].append(value)
    }
    self.texts = texts
  }

  var isEmpty: Bool { texts.isEmpty }

  /// Returns the text of the last field of a name.
  package subscript(name: String) -> String? { texts[name]?.last }

  /// Returns the typed input with the types of the schema. A field that was left empty, or has blanks alone, is null if
  /// its type is optional, the empty text if that is a value, and otherwise absent.
  ///
  /// - Parameters:
  ///   - prefix: the prefix of the field names in the form.
  ///   - language: the language of the form, whose decimal separator people type.
  func value(for schema: InputSchema, prefix: String = "", in language: ServiceLanguage) -> Value {
    .object(
      schema.fields.compactMap { field in
        guard var typed = texts[prefix + field.name] else { return nil }
        if typed.count == 1, !field.kind.isSecret, typed[0].isBlank { typed = [""] }
        if field.kind.type == "number" { typed = typed.map { language.decimalText($0) } }
        let canBeEmpty = !field.isNullable && field.kind.takesEmptyText
        let value =
          field.kind.amount?.value(from: typed[typed.count - 1], in: language) ?? field.kind.value(from: typed)
        // A field with two controls, of which only the second one has a value, is empty, too.
        guard typed == [""] || value.text == "", !canBeEmpty else { return (field.name, value) }
        // Null, because an absent field has its default.
        return field.isNullable ? (field.name, .null) : nil
      })
  }

  /// Decodes an item. Forms end lines with CR LF, which become LF.
  private static func decoded(_ text: Substring.UTF8View) -> String? {
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return percentDecoded(Substring(decoding: spaced, as: UTF8.self))?.replacing("\r\n", with: "\n")
  }
}
