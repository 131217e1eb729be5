internal import Navigation
internal import Sessions
internal import Synchronization
internal import Values

/// The definitions of flows in memory, with the numbers of their sessions.
final class DefinitionTable: Sendable {
  private struct Entry {
    let definition: KeptDefinition
    let keptSince: Timestamp
    var usedAt: Timestamp
    var sessions = 0
  }

  private let entries = Mutex<[DefinitionDigest: Entry]>([:])

  func keep(_ definitions: [KeptDefinition], at now: Timestamp) {
    entries.withLock { entries in
      for definition in definitions {
        entries[definition.digest, default: Entry(definition: definition, keptSince: now, usedAt: now)].usedAt = now
      }
    }
  }

  subscript(digest: DefinitionDigest) -> KeptDefinition? { entries.withLock { $0[digest]?.definition } }

  /// Writes a session that uses a definition, and counts the session if it was written. Returns false, without writing,
  /// if the definition is not kept.
  ///
  /// - Parameter previous: the definition that the session has used before; nil for a new session.
  func use<E: Error>(
    _ digest: DefinitionDigest, insteadOf previous: DefinitionDigest? = nil, by write: () throws(E) -> Bool
  ) throws(E) -> Bool {
    try entries.withLock { entries throws(E) in
      guard entries[digest] != nil, try write() else { return false }
      entries[digest]?.sessions += 1
      if let previous { entries[previous]?.sessions -= 1 }
      return true
    }
  }

  /// Follows the end of sessions.
  func release(_ sessions: [StoredSession]) {
    let digests = sessions.compactMap(\.definition)
    guard !digests.isEmpty else { return }
    entries.withLock { entries in for digest in digests { entries[digest]?.sessions -= 1 } }
  }

  /// Removes the definitions without sessions that were not used since a time.
  ///
  /// - Parameter isNeeded: returns whether a detached effect needs a definition.
  func remove(unusedSince time: Timestamp, isNeeded: (DefinitionDigest) -> Bool) -> Int {
    entries.withLock { entries in
      let unused = entries.filter { $0.value.usedAt < time && $0.value.sessions == 0 && !isNeeded($0.key) }
      for digest in unused.keys { entries[digest] = nil }
      return unused.count
    }
  }

  var all: [ListedDefinition] {
    let listed = entries.withLock { entries in
      entries.values.map { entry in
        ListedDefinition(
          digest: entry.definition.digest, app: entry.definition.app, version: entry.definition.version,
          keptSince: entry.keptSince, usedAt: entry.usedAt, sessions: entry.sessions)
      }
    }
    return listed.sorted { ($0.keptSince, $0.digest.hexadecimal) < ($1.keptSince, $1.digest.hexadecimal) }
  }
}
