public import Navigation
public import Sessions
internal import Synchronization
public import Values

/// The definitions of flows, which end with the process.
extension MemoryStore {
  public func keep(_ definitions: [KeptDefinition], at now: Timestamp) {
    definitionTable.withLock { table in for definition in definitions { table.keep(definition, at: now) } }
  }

  public func definition(_ digest: DefinitionDigest) -> KeptDefinition? { definitionTable.withLock { $0[digest] } }

  public func definitions() -> [ListedDefinition] { definitionTable.withLock(\.all) }

  /// Scans all work.
  public func removeDefinitions(unusedSince time: Timestamp) -> Int {
    definitionTable.withLock { definitions in
      definitions.remove(unusedSince: time) { digest in
        workTable.withLock { $0.rows.values.contains { $0.definition == digest } }
      }
    }
  }
}
