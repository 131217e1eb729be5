internal import Values
internal import Yams

/// The contract of the service, as it is served (OpenAPI 3.1).
struct OpenAPIDocument: Sendable {
  /// The document as it is written.
  let yaml: @Sendable () -> [UInt8]

  /// The same document in JSON.
  func json() throws(Problem) -> [UInt8] {
    do {
      guard let document = try Yams.compose(yaml: String(decoding: yaml(), as: UTF8.self)) else {
        throw Problem.internalError("The OpenAPI document is empty.")
      }
      var json = JSONWriter(capacity: 65_536)
      json.write(document)
      return json.finish()
    } catch {
      throw .internalError("The OpenAPI document cannot be read: \(error)")
    }
  }
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
      if node.tag == Tag(.bool) || node.bool != nil && node.scalar?.style == .plain, let flag = node.bool {
        boolean(flag)
      } else if node.scalar?.style == .plain, let number = node.int {
        integer(number)
      } else if node.scalar?.style == .plain, let number = node.float {
        double(number)
      } else if node.scalar?.style == .plain, node.null != nil {
        null()
      } else {
        string(node.string ?? "")
      }
    }
  }
}
