import Foundation
import Testing

/// The OpenAPI document, and the check of responses against it.
struct Contract {
  let document: JSON

  private var validator: SchemaValidator { SchemaValidator(document: document) }

  /// The operations, such as `POST /v1/sessions`.
  var operations: Set<String> {
    let methods: Set<String> = ["get", "put", "post", "delete", "patch"]
    return Set(
      document["paths"].keys.flatMap { path in
        document["paths", path].keys.intersection(methods).map { "\($0.uppercased()) \(path)" }
      })
  }

  /// Records an issue unless the status, headers and body of a response match the documented operation.
  func check(_ answer: Answer, _ method: String, _ path: String, _ location: SourceLocation = #_sourceLocation) {
    let label = "\(method) \(path) \(answer.status)"
    let operation = document["paths", path, method.lowercased()]
    let response = validator.resolve(operation["responses", "\(answer.status)"])
    guard !response.isMissing else {
      Issue.record("\(label) is not in the document", sourceLocation: location)
      return
    }
    for name in response["headers"].keys {
      let header = validator.resolve(response["headers", name])
      guard let value = answer.header(name) else {
        #expect(header["required"].bool != true, "\(label) lacks \(name)", sourceLocation: location)
        continue
      }
      let errors = validator.errors(JSON(value), header["schema"], at: name)
      #expect(errors.isEmpty, "\(label): \(errors)", sourceLocation: location)
    }
    guard let type = answer.header("Content-Type") else {
      #expect(
        response["content"].isMissing && answer.bytes.isEmpty, "\(label) has no type", sourceLocation: location)
      return
    }
    let schema = response["content", String(type.prefix { $0 != ";" }), "schema"]
    #expect(!schema.isMissing, "\(label) may not be \(type)", sourceLocation: location)
    let errors = validator.errors(type.hasPrefix("text/") ? JSON(answer.text) : answer.json, schema)
    #expect(errors.isEmpty, "\(label): \(errors.prefix(5))", sourceLocation: location)
  }
}

/// Checks JSON values against the schemas of the OpenAPI document (JSON Schema 2020-12, the keywords that it uses). An
/// unknown keyword is an error.
struct SchemaValidator {
  let document: JSON

  /// Returns the violations of a schema, each with its path.
  func errors(_ value: JSON, _ schema: JSON, at path: String = "") -> [String] {
    var errors: [String] = schema.isMissing ? ["the document has no schema for \(path)"] : []
    for keyword in schema.keys.sorted() {
      let rule = schema[keyword]
      switch keyword {
      case "description", "examples", "default", "format": break
      case "$ref": errors += self.errors(value, resolve(rule), at: path)
      case "type":
        let types = rule.string.map { [$0] } ?? rule.array.compactMap(\.string)
        if !types.contains(where: { value.isOfType($0) }) { errors.append("\(path) is no \(types)") }
      case "const": if value != rule { errors.append("\(path) is not \(rule)") }
      case "enum": if !rule.array.contains(value) { errors.append("\(path) is none of \(rule)") }
      case "pattern":
        if let text = value.string, text.range(of: rule.string ?? "", options: .regularExpression) == nil {
          errors.append("\(path) does not match \(rule)")
        }
      case "minimum":
        if let number = value.double, number < rule.double ?? 0 { errors.append("\(path) is below \(rule)") }
      case "maximum":
        if let number = value.double, number > rule.double ?? 0 { errors.append("\(path) is above \(rule)") }
      case "minLength": if let text = value.string, text.count < rule.int ?? 0 { errors.append("\(path) is short") }
      case "maxLength": if let text = value.string, text.count > rule.int ?? 0 { errors.append("\(path) is long") }
      case "required":
        for name in rule.array.compactMap(\.string) where !value.keys.contains(name) {
          errors.append("\(path)/\(name) is missing")
        }
      case "properties":
        for name in rule.keys where value.keys.contains(name) {
          errors += self.errors(value[name], rule[name], at: "\(path)/\(name)")
        }
      case "additionalProperties":
        for name in value.keys.subtracting(schema["properties"].keys) {
          if rule.bool == false {
            errors.append("\(path)/\(name) is not in the document")
          } else {
            errors += self.errors(value[name], rule, at: "\(path)/\(name)")
          }
        }
      case "items":
        for (index, item) in value.array.enumerated() { errors += self.errors(item, rule, at: "\(path)/\(index)") }
      case "allOf": for part in rule.array { errors += self.errors(value, part, at: path) }
      case "anyOf", "oneOf":
        let fits = rule.array.filter { self.errors(value, $0, at: path).isEmpty }.count
        if fits == 0 || (keyword == "oneOf" && fits > 1) { errors.append("\(path) fits \(fits) of \(keyword)") }
      default: errors.append("the keyword \(keyword) at \(path) is unknown to the validator")
      }
    }
    return errors
  }

  /// Returns the target of a reference such as `#/components/schemas/View`, or the value itself if it is not a reference.
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
