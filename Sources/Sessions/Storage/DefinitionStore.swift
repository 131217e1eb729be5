public import Navigation
public import Values

/// The part of a store that keeps the definitions of flows, so that every process can serve the sessions that began
/// with them.
///
/// A definition stays as long as a session or a detached effect needs it, or a process keeps it as its current one.
/// ``SessionStore/insert(_:outcome:)`` and ``SessionStore/replace(_:with:then:)`` write nothing for a session whose
/// definition is not kept. `DefinitionContractTests` checks the contract on every store.
public protocol DefinitionStore: Sendable {
  /// Keeps definitions, and notes that a process has used them now.
  func keep(_ definitions: [KeptDefinition], at now: Timestamp) async throws(StoreError)

  /// Returns a definition; nil if the store does not have it.
  func definition(_ digest: DefinitionDigest) async throws(StoreError) -> KeptDefinition?

  /// Returns all definitions with the numbers of their sessions, in the order of their first use. The cost may grow
  /// with the number of sessions.
  func definitions() async throws(StoreError) -> [ListedDefinition]

  /// Removes the definitions that nothing needs and no process has used since a time, at once with the check.
  ///
  /// - Returns: the number of removed definitions.
  func removeDefinitions(unusedSince time: Timestamp) async throws(StoreError) -> Int
}

/// A definition as a store keeps it.
public struct KeptDefinition: Sendable, Equatable {
  public let digest: DefinitionDigest
  /// The name of the app.
  public let app: String
  /// The version of the app.
  public let version: Int
  /// The encoded files.
  public let source: [UInt8]

  public init(digest: DefinitionDigest, app: String, version: Int, source: [UInt8]) {
    self.digest = digest
    self.app = app
    self.version = version
    self.source = source
  }
}

/// An entry of the list of definitions.
public struct ListedDefinition: Sendable, Equatable {
  public let digest: DefinitionDigest
  /// The name of the app.
  public let app: String
  /// The version of the app.
  public let version: Int
  /// The time since which the store has it.
  public let keptSince: Timestamp
  /// The time at which a process has last used it for new sessions.
  public let usedAt: Timestamp
  /// The number of sessions that have not ended.
  public let sessions: Int

  public init(
    digest: DefinitionDigest, app: String, version: Int, keptSince: Timestamp, usedAt: Timestamp, sessions: Int
  ) {
    self.digest = digest
    self.app = app
    self.version = version
    self.keptSince = keptSince
    self.usedAt = usedAt
    self.sessions = sessions
  }
}
