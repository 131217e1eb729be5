public import Navigation
internal import Synchronization

/// The navigation of a stored session: packed bytes, or the state that packs into them.
public enum StoredNavigation: Sendable {
  case packed([UInt8])
  /// A state in memory. A store may keep it in this form within the process.
  case live(LiveNavigation)

  public var isLive: Bool {
    if case .live = self { true } else { false }
  }

  /// The packed form. Each call packs a live state again.
  public var packed: [UInt8] {
    switch self {
    case .packed(let bytes): bytes
    case .live(let live): live.packed
    }
  }

  /// The size of the packed form in bytes; 0 if a live state has never been packed.
  var knownSize: Int {
    switch self {
    case .packed(let bytes): bytes.count
    case .live(let live): live.knownSize
    }
  }

  /// The approximate size in memory, in bytes; 0 for a live state that has never been packed.
  var approximateSize: Int {
    switch self {
    case .packed(let bytes): bytes.count
    case .live(let live): 4 * live.packedSize.load(ordering: .relaxed)
    }
  }
}

/// A state and the app that packs it. It is an immutable class, because threads pass it on without copying the state.
public final class LiveNavigation: Sendable {
  public let app: AppDefinition
  public let state: SessionState
  /// The size of the packed form in bytes; 0 before the first packing.
  fileprivate let packedSize = Atomic(0)

  public init(app: AppDefinition, state: SessionState) {
    self.app = app
    self.state = state
  }

  /// Returns whether the packed form exceeds a limit in bytes.
  ///
  /// - Parameters:
  ///   - known: the packed size of the previous state; 0 if it was not packed.
  ///   - revision: the revision of this state.
  func isLarger(than limit: Int, known: Int, _ revision: UInt64) -> Bool {
    // Packing costs as much as an action. A state that stays in memory is packed at every 16th revision. Any other
    // state is packed at each step anyway.
    guard known > limit / 4 || known == 0 && revision % 16 == 1 else { return false }
    return packed.count > limit
  }

  var knownSize: Int { packedSize.load(ordering: .relaxed) }

  fileprivate var packed: [UInt8] {
    let packed = app.pack(state)
    packedSize.store(packed.count, ordering: .relaxed)
    return packed
  }
}

/// The version of a stored session: the number of its writes, and a mark that distinguishes writes with the same
/// number.
///
/// The count alone is not enough. A database that was restored from a backup, or that failed over to a lagging replica,
/// counts the same numbers a second time.
public struct SessionVersion: Sendable, Equatable {
  /// The count in the upper 32 bits and the mark in the lower ones, the form that stores keep.
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Returns the version of a new session.
  static func first() -> SessionVersion { SessionVersion(count: 1) }

  private init(count: Int64) {
    let mark = Self.marks.wrappingAdd(1, ordering: .relaxed).newValue
    rawValue = count << 32 | Int64(mark)
  }

  /// The next mark. Processes start at random marks, which are most likely far apart.
  private static let marks = Atomic<UInt32>(.random(in: 0 ... .max))

  /// The number of writes, from 1.
  public var count: Int64 { rawValue >> 32 }

  /// Returns a version for the successor. Each call returns a different one.
  func next() -> SessionVersion { SessionVersion(count: count + 1) }
}
