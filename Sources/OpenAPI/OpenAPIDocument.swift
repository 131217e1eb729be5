internal import Values
internal import Yams

/// The contract of the service, as it is served (OpenAPI 3.1).
public enum OpenAPIDocument {
  /// The document as it is written.
  public static let yaml: [UInt8] = PackageResources.openapi_yaml

  /// The same document in JSON, made when it is first asked for; nil if it is no YAML.
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
      // Only a plain scalar can be anything else than text.
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
