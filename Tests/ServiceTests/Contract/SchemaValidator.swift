import Foundation

/// Checks JSON values against the schemas of the OpenAPI document (JSON Schema 2020-12, the keywords that it uses). A keyword
/// that is not known here is an error: nothing is passed over.
struct SchemaValidator {
  let document: JSON

  /// What is wrong with `value`, each with its place; empty where it fits.
  func errors(_ value: JSON, _ schema: JSON, at place: String = "") -> [String] {
    var errors: [String] = schema.isMissing ? ["the document has no schema for \(place)"] : []
    for keyword in schema.keys.sorted() {
      let rule = schema[keyword]
      switch keyword {
      case "description", "examples", "default", "format": break
      case "$ref": errors += self.errors(value, resolve(rule), at: place)
      case "type":
        let types = rule.string.map { [$0] } ?? rule.array.compactMap(\.string)
        if !types.contains(where: { value.isOfType($0) }) { errors.append("\(place) is no \(types)") }
      case "const": if value != rule { errors.append("\(place) is not \(rule)") }
      case "enum": if !rule.array.contains(value) { errors.append("\(place) is none of \(rule)") }
      case "pattern":
        if let text = value.string, text.range(of: rule.string ?? "", options: .regularExpression) == nil {
          errors.append("\(place) does not match \(rule)")
        }
      case "minimum":
        if let number = value.double, number < rule.double ?? 0 { errors.append("\(place) is below \(rule)") }
      case "maximum":
        if let number = value.double, number > rule.double ?? 0 { errors.append("\(place) is above \(rule)") }
      case "minLength": if let text = value.string, text.count < rule.int ?? 0 { errors.append("\(place) is short") }
      case "maxLength": if let text = value.string, text.count > rule.int ?? 0 { errors.append("\(place) is long") }
      case "required":
        for name in rule.array.compactMap(\.string) where !value.keys.contains(name) {
          errors.append("\(place)/\(name) is missing")
        }
      case "properties":
        for name in rule.keys where value.keys.contains(name) {
          errors += self.errors(value[name], rule[name], at: "\(place)/\(name)")
        }
      case "additionalProperties":
        for name in value.keys.subtracting(schema["properties"].keys) {
          if rule.bool == false {
            errors.append("\(place)/\(name) is not in the document")
          } else {
            errors += self.errors(value[name], rule, at: "\(place)/\(name)")
          }
        }
      case "items":
        for (index, item) in value.array.enumerated() { errors += self.errors(item, rule, at: "\(place)/\(index)") }
      case "allOf": for part in rule.array { errors += self.errors(value, part, at: place) }
      case "anyOf", "oneOf":
        let fits = rule.array.filter { self.errors(value, $0, at: place).isEmpty }.count
        if fits == 0 || (keyword == "oneOf" && fits > 1) { errors.append("\(place) fits \(fits) of \(keyword)") }
      default: errors.append("the keyword \(keyword) at \(place) is not known to the validator")
      }
    }
    return errors
  }

  /// What a reference such as `#/components/schemas/View` stands for; the value itself where it is none.
  func resolve(_ reference: JSON) -> JSON {
    guard let path = reference.string ?? reference["$ref"].string else { return reference }
    return path.dropFirst(2).split(separator: "/").reduce(document) { $0["\($1)"] }
  }
}

extension JSON {
  fileprivate func isOfType(_ type: String) -> Bool {
    switch type {
    case "object": isObject
    case "array": isArray
    case "string": string != nil
    case "boolean": isBoolean
    case "null": isNull
    case "integer": !isBoolean && double.map { $0 == $0.rounded() } ?? false
    default: !isBoolean && double != nil
    }
  }
}
