/// What a store keeps in memory and in all.
public struct StoreLimits: Sendable {
  /// Sessions that live at once, those that have expired and are not yet swept included; nil for ``MemoryStore/standardLimit`` in
  /// memory, and for as many as there is room for elsewhere.
  public var sessions: Int?
  /// Sessions of a database that are in memory as well.
  public var cachedSessions = 16_384
  /// Ended sessions that are remembered, so that a request to one is told that it has ended. Above this the store forgets the ones
  /// that would be forgotten next, at once in memory and with each sweep elsewhere.
  public var endedSessions = 262_144

  public init() {}
}
