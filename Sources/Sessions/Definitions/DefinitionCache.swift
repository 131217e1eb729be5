internal import Navigation

/// The compiled definitions in memory: the recently used ones, and all others that a session in memory still holds.
struct DefinitionCache {
  /// The maximum number of definitions that are kept although nothing holds them.
  static let limit = 64
  /// The maximum number of definitions that are known to be faulty.
  static let faultLimit = 256

  private struct Entry {
    weak var app: AppDefinition?
  }

  private var entries: [DefinitionDigest: Entry] = [:]
  /// The recently used definitions, the last one last.
  private var recent: [AppDefinition] = []
  /// The faults of definitions that cannot be compiled by this process.
  private(set) var faults: [DefinitionDigest: String] = [:]

  /// The number of definitions in memory.
  var count: Int { entries.values.count { $0.app != nil } }

  subscript(digest: DefinitionDigest) -> AppDefinition? {
    mutating get {
      guard let app = entries[digest]?.app else { return nil }
      if recent.last !== app { use(app) }
      return app
    }
  }

  mutating func insert(_ app: AppDefinition) {
    guard let digest = app.digest else { return }
    entries[digest] = Entry(app: app)
    use(app)
    if entries.count > 2 * Self.limit { entries = entries.filter { $0.value.app != nil } }
  }

  private mutating func use(_ app: AppDefinition) {
    recent.removeAll { $0.digest == app.digest }
    recent.append(app)
    if recent.count > Self.limit { recent.removeFirst() }
  }

  /// Notes the fault of a definition. Returns whether it is new.
  mutating func insert(fault: String, of digest: DefinitionDigest) -> Bool {
    if faults.count >= Self.faultLimit { faults.removeAll() }
    return faults.updateValue(fault, forKey: digest) == nil
  }
}
