extension DecoderSource {
  func mismatch(_ expected: String, at: Int) -> ValueError {
    ValueError(.mismatch(expected: expected, found: value(at: at).kind.phrase), path: path(to: at))
  }

  func codingPath(to position: Int) -> [any CodingKey] {
    path(to: position).map(PathKey.init)
  }

  /// The steps from the root to the item at `position`. They are found by walking there, so that decoding itself need
  /// not keep them.
  func path(to position: Int) -> [ValueError.Step] {
    var path: [ValueError.Step] = []
    var at = Int(root.start)
    while at < position {
      let head = head(at: at)
      let isMap = head.major == CBOR.map
      guard isMap || head.major == CBOR.array else { return path }
      var next = head.next
      for index in 0..<head.count {
        let key = next
        let item = isMap ? skip(key) : key
        next = skip(item)
        guard next > position || index == head.count - 1 else { continue }
        path.append(isMap ? .key(root.withBase { CBOR.string($0, key) }) : .index(index))
        at = item
        break
      }
      if at < head.next { return path }
    }
    return path
  }
}

extension Value.Kind {
  var phrase: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .double: "a fractional number"
    case .text: "text"
    case .array: "an array"
    case .map: "a map"
    }
  }
}
