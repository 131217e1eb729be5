internal import Values

/// What packed sessions need to know of a screen, coordinator or prompt.
struct SchemaDefinition: Sendable {
  let name: String
  let version: Int
  let predecessors: [PredecessorDefinition]
  /// Throws where an encoded value is none of the type.
  let check: @Sendable (Value) throws -> Void

  init<V: Versioned>(_ type: V.Type) {
    name = V.name
    version = V.version
    predecessors = V.predecessors.map { PredecessorDefinition($0) }
    check = { _ = try $0.decode(V.self) }
  }
}

/// A ``Predecessor`` from encoded value to encoded value.
struct PredecessorDefinition: Sendable {
  let name: String
  let versions: ClosedRange<Int>
  let carry: @Sendable (Value) throws -> Value

  init<V: Versioned>(_ predecessor: Predecessor<V>) {
    name = predecessor.name
    versions = predecessor.versions
    carry = { try Value(encoding: predecessor.carry($0)) }
  }
}

/// A predecessor with what replaces it in a registered app.
struct RegisteredPredecessor: Sendable {
  let definition: PredecessorDefinition
  let successor: DeclaredName
}
