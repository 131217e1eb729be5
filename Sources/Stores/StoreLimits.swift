/// What a store keeps in memory and in all.
public struct StoreLimits: Sendable {
  /// Sessions that live at once, those that have expired and are not yet swept included; nil for ``MemoryStore/standardLimit`` in
  /// memory, and for as many as there is room for elsewhere.
  public var sessions: Int?
  /// Sessions of a database that are in memory as well.
  public var cachedSessions = 16_384

  public init() {}
}
