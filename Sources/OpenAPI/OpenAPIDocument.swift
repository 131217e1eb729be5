internal import Values
internal import Yams

/// The description of the HTTP API (OpenAPI 3.1).
public enum OpenAPIDocument {
  /// The document in YAML, as it is maintained.
  public static let yaml: [UInt8] = PackageResources.openapi_yaml

  /// The same document in JSON, converted at the first use; nil if the YAML is invalid.
  public static let json: [UInt8]? = {
    guard let document = try? Yams.compose(yaml: String(decoding: yaml, as: UTF8.self)) else { return nil }
    var json = JSONWriter(capacity: 65_536)
    json.write(document)
    return json.finish()
  }()
}

extension JSONWriter {
  fileprivate mutating func write(_ node: Node) {
    switch node {
    case .mapping(let mapping):
      beginObject()
      for (name, node) in mapping {
        key(name.string ?? "")
        write(node)
      }
      endObject()
    case .sequence(let sequence):
      beginArray()
      for node in sequence { write(node) }
      endArray()
    case .scalar, .alias:
      // Only a plain scalar can have a type other than text (YAML 1.2, section 10.3.2).
      guard node.scalar?.style == .plain else { return string(node.string ?? "") }
      if let flag = node.bool {
        boolean(flag)
      } else if let number = node.int {
        integer(number)
      } else if let number = node.float {
        double(number)
      } else if node.null != nil {
        null()
      } else {
        string(node.string ?? "")
      }
    }
  }
}
