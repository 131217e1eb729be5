/// What is wrong with versions and predecessors. Names are told apart within a kind only: a screen may be called as a
/// prompt is.
extension Registration {
  mutating func checkVersions() {
    checkVersions(coordinators.map(\.schema), of: .coordinator)
    checkVersions(screens.map(\.schema), of: .screen)
    checkVersions(prompts.map(\.schema), of: .prompt)
  }

  /// All predecessors with what replaces them. To be called on a registration without faults.
  func registeredPredecessors() -> [RegisteredPredecessor] {
    let schemas: [(PackedName.Kind, [SchemaDefinition])] = [
      (.coordinator, coordinators.map(\.schema)), (.screen, screens.map(\.schema)), (.prompt, prompts.map(\.schema)),
    ]
    return schemas.flatMap { kind, schemas in
      schemas.enumerated().flatMap { index, schema in
        schema.predecessors.map {
          RegisteredPredecessor(definition: $0, successor: DeclaredName(kind: kind, index: index))
        }
      }
    }
  }

  private mutating func checkVersions(_ schemas: [SchemaDefinition], of kind: PackedName.Kind) {
    var earlier: [(successor: String, predecessor: PredecessorDefinition)] = []
    for schema in schemas {
      if schema.version < 1 { fault(schema.name, .versionBelowOne) }
      for predecessor in schema.predecessors {
        let place = "\(schema.name) › predecessor \(predecessor.name)"
        checkName(predecessor.name, at: place)
        if predecessor.versions.lowerBound < 1 { fault(place, .versionBelowOne) }
        if predecessor.name == schema.name {
          if predecessor.versions.upperBound >= schema.version {
            fault(place, .migrationNotOlder(than: schema.version))
          }
        } else if let living = schemas.first(where: { $0.name == predecessor.name && predecessor.replaces($0) }) {
          fault(place, .migrationOfLivingName(kind, version: living.version))
        }
        for (successor, other) in earlier where other.name == predecessor.name {
          guard other.versions.overlaps(predecessor.versions) else { continue }
          let version = max(other.versions.lowerBound, predecessor.versions.lowerBound)
          fault(place, .repeatedMigration(version: version, first: successor))
        }
        earlier.append((schema.name, predecessor))
      }
    }
  }
}

extension PredecessorDefinition {
  fileprivate func replaces(_ schema: SchemaDefinition) -> Bool { versions.contains(schema.version) }
}
