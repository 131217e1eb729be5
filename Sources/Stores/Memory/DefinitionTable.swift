internal import Navigation
internal import Sessions
internal import Values

/// The definitions of flows in memory, with the numbers of their sessions.
struct DefinitionTable {
  private struct Entry {
    let definition: KeptDefinition
    let keptSince: Timestamp
    var usedAt: Timestamp
    var sessions = 0
  }

  private var entries: [DefinitionDigest: Entry] = [:]

  mutating func keep(_ definition: KeptDefinition, at now: Timestamp) {
    entries[definition.digest, default: Entry(definition: definition, keptSince: now, usedAt: now)].usedAt = now
  }

  subscript(digest: DefinitionDigest) -> KeptDefinition? { entries[digest]?.definition }

  /// Writes a session that uses a definition, and counts the session if it was written. Returns false, without writing,
  /// if the definition is not kept.
  ///
  /// - Parameter previous: the definition that the session has used before; nil for a new session.
  mutating func use<E: Error>(
    _ digest: DefinitionDigest, insteadOf previous: DefinitionDigest?, by write: () throws(E) -> Bool
  ) throws(E) -> Bool {
    guard entries[digest] != nil, try write() else { return false }
    entries[digest]?.sessions += 1
    if let previous { release(previous) }
    return true
  }

  /// Follows the end of a session.
  mutating func release(_ digest: DefinitionDigest) { entries[digest]?.sessions -= 1 }

  /// Removes the definitions without sessions that were not used since a time.
  ///
  /// - Parameter isNeeded: returns whether a detached effect needs a definition.
  mutating func remove(unusedSince time: Timestamp, isNeeded: (DefinitionDigest) -> Bool) -> Int {
    let unused = entries.filter { $0.value.usedAt < time && $0.value.sessions == 0 && !isNeeded($0.key) }
    for digest in unused.keys { entries[digest] = nil }
    return unused.count
  }

  var all: [ListedDefinition] {
    let listed = entries.values.map { entry in
      ListedDefinition(
        digest: entry.definition.digest, app: entry.definition.app, version: entry.definition.version,
        keptSince: entry.keptSince, usedAt: entry.usedAt, sessions: entry.sessions)
    }
    return listed.sorted { ($0.keptSince, $0.digest.hexadecimal) < ($1.keptSince, $1.digest.hexadecimal) }
  }
}
