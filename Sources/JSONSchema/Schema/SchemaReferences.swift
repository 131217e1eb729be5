internal import Suggestions
internal import Values

/// A `$ref` of a schema.
struct SchemaReference {
  let target: String
  /// The index of the schema with the `$ref`.
  let node: Int
  let pointer: String
  /// The pointer to the document around the `$ref`: empty, or that of a definition.
  let document: String
}

extension SchemaReader {
  private static let suggestionLimit = 1000

  /// Finds the targets of the references, and reads the definitions that they need, until every reference has a target.
  mutating func resolveReferences() {
    var count = 0
    while count < references.count {
      let reference = references[count]
      count += 1
      if let target = target(of: reference) { nodes[reference.node].reference = target }
    }
  }

  /// Returns the index of the target; nil if there is none, which is reported.
  private mutating func target(of reference: SchemaReference) -> Int? {
    guard reference.target.hasPrefix("#") else {
      report(
        "$ref leads to another document. Write a pointer into this one, such as #/$defs/NAME or #/types/NAME.",
        at: reference.pointer)
      return nil
    }
    if let fragment = percentDecoded(reference.target.dropFirst()) {
      if let definition = definition(in: fragment) {
        if indices[Value(definition.pointer)] == nil {
          document = definition.pointer
          _ = schema(definition.schema, at: definition.pointer)
        }
        if let schema = indices[Value(fragment)] { return schema }
      } else if let schema = indices[Value(reference.document + fragment)] {
        return schema
      }
    }
    guard !isFull else { return nil }
    let suggestion = suggestion(for: reference)
    report(
      "There is no schema \(reference.target)."
        + (suggestion.isEmpty ? " Write a pointer such as #/$defs/NAME or #/types/NAME." : suggestion),
      at: reference.pointer)
    return nil
  }

  /// Returns ` Did you mean #/$defs/price?`, or an empty text if no target is similar.
  private func suggestion(for reference: SchemaReference) -> String {
    // Each suggestion takes time in proportion to the number of schemas.
    guard indices.count + definitions.count <= Self.suggestionLimit else { return "" }
    let local = indices.keys.compactMap(\.text).filter { $0.hasPrefix(reference.document + "/") }
      .map { "#\($0.dropFirst(reference.document.count))" }
    let types = definitions.keys.map { "#" + JSONPointer.adding($0, to: "/types") }
    return Suggestion.text(for: reference.target, among: local + types)
  }

  /// Returns the definition that a fragment such as `/types/quote/properties/id` leads into.
  private func definition(in fragment: String) -> (pointer: String, schema: Value)? {
    let tokens = fragment.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard tokens.count > 2, tokens[0].isEmpty, tokens[1] == "types", let name = JSONPointer.unescaped(tokens[2]),
      let schema = definitions[name]
    else { return nil }
    return ("/types/\(tokens[2])", schema)
  }

  /// Reports the references that lead back to themselves without a step into the value, so that a validation would
  /// never end.
  mutating func reportCycles() {
    let nodes = nodes
    // A node is open while the path leads through it. The path is not a recursion, since it may be as long as the schema.
    var states: [Bool?] = Array(repeating: nil, count: nodes.count)
    for start in nodes.indices where states[start] == nil && !isFull {
      var path: [(node: Int, schemas: ArraySlice<Int>)] = [(start, nodes[start].schemasInPlace[...])]
      states[start] = true
      while let last = path.indices.last {
        guard let next = path[last].schemas.popFirst() else {
          states[path.removeLast().node] = false
          continue
        }
        if states[next] == nil {
          states[next] = true
          path.append((next, nodes[next].schemasInPlace[...]))
        } else if states[next] == true && !isFull {
          let cycle = path.map(\.node).drop { $0 != next }
          report(
            "$ref leads back to itself without a step into a property or an item. Refer to the schema from there.",
            at: pointer(toReferenceIn: Array(cycle)))
        }
      }
    }
  }

  /// Returns the pointer to the last reference of a cycle of schemas, which has at least one.
  private func pointer(toReferenceIn cycle: [Int]) -> String {
    let successors = Dictionary(uniqueKeysWithValues: zip(cycle, cycle.dropFirst() + cycle.prefix(1)))
    let reference = references.last { reference in
      successors[reference.node].map { nodes[reference.node].reference == $0 } ?? false
    }
    return reference?.pointer ?? ""
  }
}
