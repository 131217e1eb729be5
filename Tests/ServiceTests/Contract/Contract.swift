import Testing

/// The OpenAPI document, to hold answers against.
struct Contract {
  let document: JSON

  private var validator: SchemaValidator { SchemaValidator(document: document) }

  /// Such as `POST /v1/sessions`.
  var operations: Set<String> {
    let methods: Set<String> = ["get", "put", "post", "delete", "patch"]
    return Set(
      document["paths"].keys.flatMap { path in
        document["paths", path].keys.intersection(methods).map { "\($0.uppercased()) \(path)" }
      })
  }

  /// Records an issue unless the answer's status, headers and body are as the document says of the operation.
  func check(_ answer: Answer, _ method: String, _ path: String, _ location: SourceLocation = #_sourceLocation) {
    let place = "\(method) \(path) \(answer.status)"
    let operation = document["paths", path, method.lowercased()]
    let response = validator.resolve(operation["responses", "\(answer.status)"])
    guard !response.isMissing else {
      Issue.record("\(place) is not in the document", sourceLocation: location)
      return
    }
    for name in response["headers"].keys {
      let header = validator.resolve(response["headers", name])
      guard let value = answer.header(name) else {
        #expect(header["required"].bool != true, "\(place) lacks \(name)", sourceLocation: location)
        continue
      }
      let errors = validator.errors(JSON(value), header["schema"], at: name)
      #expect(errors.isEmpty, "\(place): \(errors)", sourceLocation: location)
    }
    guard let type = answer.header("Content-Type") else {
      #expect(response["content"].isMissing && answer.bytes.isEmpty, "\(place) has no type", sourceLocation: location)
      return
    }
    let schema = response["content", String(type.prefix { $0 != ";" }), "schema"]
    #expect(!schema.isMissing, "\(place) may not be \(type)", sourceLocation: location)
    let errors = validator.errors(type.hasPrefix("text/") ? JSON(answer.text) : answer.json, schema)
    #expect(errors.isEmpty, "\(place): \(errors.prefix(5))", sourceLocation: location)
  }
}
