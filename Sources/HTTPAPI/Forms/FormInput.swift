internal import Navigation
internal import Values

/// What a form sends (URL Standard, section 5.1), by the names of its fields.
struct FormInput {
  /// Before the names of the fields of an app's input, which share their form with the name of the app.
  static let inputPrefix = "input."

  private let items: [String: String]

  /// Of two fields of one name the last one counts: a box that can be ticked stands behind a hidden field that says it is not.
  init(_ body: [UInt8]) throws(Problem) {
    guard let text = String(validating: body, as: UTF8.self) else { throw .invalidRequest("The form is not in UTF-8.") }
    var items: [String: String] = [:]
    // By bytes: what combines with a separator would make another character of it.
    for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
      let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded(sides[0]), let value = sides.count > 1 ? Self.decoded(sides[1]) : "" else {
        throw .invalidRequest("The form has broken percent-encoding.")
      }
      items[name] = value
    }
    self.items = items
  }

  var isEmpty: Bool { items.isEmpty }

  subscript(name: String) -> String? { items[name] }

  /// Returns the typed input with the types of the schema. A field that was left empty is absent, unless it is a required text.
  ///
  /// - Parameter prefix: before the names of the fields in the form.
  func value(for schema: InputSchema, prefix: String = "") -> Value {
    .object(
      schema.fields.compactMap { field in
        let canBeEmpty = field.isRequired && field.kind.takesEmptyText
        guard let typed = self[prefix + field.name], !typed.isEmpty || canBeEmpty else { return nil }
        return (field.name, field.kind.value(from: typed))
      })
  }

  /// Lines end as they do elsewhere, and not as forms have them.
  private static func decoded(_ text: Substring.UTF8View) -> String? {
    let spaced = text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
    return percentDecoded(Substring(decoding: spaced, as: UTF8.self))?.replacing("\r\n", with: "\n")
  }
}
