internal import Suggestions

/// The supported keywords.
enum Keyword: String, CaseIterable, Sendable {
  case dialect = "$schema"
  case reference = "$ref"
  case localDefinitions = "$defs"
  case comment = "$comment"
  case title, description, deprecated, readOnly, writeOnly, examples
  case defaultValue = "default"
  case type, const
  case enumeration = "enum"
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
  case minLength, maxLength, pattern, format
  case items, prefixItems, contains, minContains, maxContains, minItems, maxItems, uniqueItems
  case properties, patternProperties, additionalProperties, propertyNames
  case required, dependentRequired, dependentSchemas, minProperties, maxProperties
  case allOf, anyOf, oneOf, not
  case condition = "if"
  case consequence = "then"
  case alternative = "else"

  /// The advice for keywords of other dialects, and for keywords of JSON Schema that are not supported.
  private static let replacements = [
    "definitions": "Write $defs.",
    "dependencies": "Write dependentRequired or dependentSchemas.",
    "additionalItems": "Write items, beside prefixItems.",
    "unevaluatedItems": "Write items.",
    "unevaluatedProperties": "Write additionalProperties.",
    "nullable": "Write type as a list, such as type: [string, \"null\"].",
    "example": "Write examples, with a list.",
    "discriminator": "Write const for the property in each schema of oneOf.",
    "$id": "Write $ref with the pointer of a schema, such as #/$defs/NAME.",
    "id": "Write $ref with the pointer of a schema, such as #/$defs/NAME.",
    "$anchor": "Write $ref with the pointer of a schema, such as #/$defs/NAME.",
    "$dynamicRef": "Write $ref.",
    "$dynamicAnchor": "Write $ref with the pointer of a schema, such as #/$defs/NAME.",
    "$vocabulary": "Remove it.",
    "contentEncoding": "Write description.",
    "contentMediaType": "Write description.",
    "contentSchema": "Write description.",
  ]

  /// Returns the sentences about a keyword that is not supported.
  static func message(forUnknown name: String) -> String {
    if let replacement = replacements[name] { return "The keyword \(name) is not supported. \(replacement)" }
    let suggestion = Suggestion.text(for: name, among: allCases.map(\.rawValue))
    return "There is no keyword \(name)." + (suggestion.isEmpty ? " Remove it." : suggestion)
  }
}
