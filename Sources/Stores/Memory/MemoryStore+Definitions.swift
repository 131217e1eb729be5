public import Navigation
public import Sessions
public import Values

/// The definitions of flows, which end with the process.
extension MemoryStore {
  public func keep(_ definitions: [KeptDefinition], at now: Timestamp) { definitionTable.keep(definitions, at: now) }

  public func definition(_ digest: DefinitionDigest) -> KeptDefinition? { definitionTable[digest] }

  public func definitions() -> [ListedDefinition] { definitionTable.all }

  public func removeDefinitions(unusedSince time: Timestamp) -> Int {
    definitionTable.remove(unusedSince: time) { [work] in work.hasDetached(definedBy: $0) }
  }

  /// Scans all sessions.
  public func endSessions(definedBy digest: DefinitionDigest, forgetAt: Timestamp) -> [SessionKey] {
    shards.flatMap { shard in
      end(in: shard) { $0.end(sessionsDefinedBy: digest, forgetAt: forgetAt) }.map(\.key)
    }
  }
}
