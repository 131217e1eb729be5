internal import Navigation

/// The compiled definitions in memory: the recently used ones, and all others that something still holds.
///
/// The limits concern the recently used ones only. A definition that is current, that waits for its name, or that a
/// session in memory uses, cannot be dropped.
struct DefinitionCache {
  /// The maximum number of definitions that are kept although nothing holds them.
  static let limit = 64
  /// The maximum memory of those definitions in bytes, as estimated from the sizes of their files and schemas.
  static let sizeLimit = 256 << 20
  /// The bytes of memory that a byte of a flow's files takes once it is compiled. `Benchmarks/README.md` has the
  /// measurement.
  static let sizeFactor = 32
  /// The bytes of memory of a part of a schema. Each schema has the types to which it leads as parts of its own.
  static let schemaPartSize = 112
  /// The maximum number of definitions that are known to be faulty.
  static let faultLimit = 256
  /// The maximum size of the faults of one definition in bytes.
  static let faultSizeLimit = 16 << 10

  private struct CachedDefinition {
    weak var app: AppDefinition?
    let size: Int
  }

  private var entries: [DefinitionDigest: CachedDefinition] = [:]
  /// The recently used definitions with their estimated sizes, the last one last.
  private var recent: [(app: AppDefinition, size: Int)] = []
  /// The estimated memory of the recently used definitions in bytes.
  var recentSize: Int { recent.reduce(0) { $0 + $1.size } }
  /// The faults of definitions that cannot be compiled by this process.
  private(set) var faults: [DefinitionDigest: String] = [:]

  /// The number of definitions in memory.
  var count: Int { entries.values.count { $0.app != nil } }

  /// The estimated memory of the definitions in bytes.
  var size: Int { entries.values.reduce(0) { $0 + ($1.app == nil ? 0 : $1.size) } }

  subscript(digest: DefinitionDigest) -> AppDefinition? {
    mutating get {
      guard let entry = entries[digest], let app = entry.app else { return nil }
      if recent.last?.app !== app { use(app, entry.size) }
      return app
    }
  }

  mutating func insert(_ app: AppDefinition, from source: DefinitionSource) {
    let size = source.size * Self.sizeFactor + app.schemaPartCount * Self.schemaPartSize
    entries[source.digest] = CachedDefinition(app: app, size: size)
    use(app, size)
    if entries.count > 2 * Self.limit { entries = entries.filter { $0.value.app != nil } }
  }

  private mutating func use(_ app: AppDefinition, _ size: Int) {
    recent.removeAll { $0.app.digest == app.digest }
    guard size <= Self.sizeLimit else { return }
    recent.append((app, size))
    while recent.count > Self.limit || recentSize > Self.sizeLimit { recent.removeFirst() }
  }

  /// Notes the fault of a definition. Returns whether it is new.
  mutating func insert(fault: String, of digest: DefinitionDigest) -> Bool {
    if faults.count >= Self.faultLimit { faults.removeAll() }
    let kept = String(decoding: fault.utf8.prefix(Self.faultSizeLimit), as: UTF8.self)
    return faults.updateValue(kept, forKey: digest) == nil
  }
}
