internal import COpenAPI
internal import Values
internal import YAML

/// The description of the HTTP API (OpenAPI 3.1).
enum OpenAPIDocument {
  /// The document in YAML, as it is maintained.
  static let yaml = Array(UnsafeBufferPointer(start: copenapi_bytes(), count: copenapi_size()))

  /// The same document in JSON, converted at the first use; nil if the YAML is invalid.
  static let json: [UInt8]? = {
    let (document, faults) = YAMLReader.read(yaml, file: "openapi.yaml", as: .document)
    guard let document, faults.isEmpty else { return nil }
    var json = JSONWriter(capacity: 65_536)
    json.write(document)
    return json.finish()
  }()
}

extension JSONWriter {
  fileprivate mutating func write(_ node: YAMLNode) {
    switch node.content {
    case .mapping(let entries):
      beginObject()
      for entry in entries {
        key(entry.key.name)
        write(entry.value)
      }
      endObject()
    case .sequence(let elements):
      beginArray()
      for element in elements { write(element) }
      endArray()
    case .boolean(let flag): boolean(flag)
    case .integer(let number): integer(number)
    case .double(let number): double(number)
    case .string(let text, _): string(text)
    case .null, .invalid: null()
    }
  }
}
