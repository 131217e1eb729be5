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
    return faults.isEmpty ? document?.value.json : nil
  }()
}
