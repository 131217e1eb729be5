public import Navigation
internal import Synchronization
public import Values

/// The navigation of a stored session: packed bytes, or the state that packs into them.
public enum StoredNavigation: Sendable {
  case packed(SplitBytes)
  /// A state in memory. A store may keep it in this form within the process.
  case live(LiveNavigation)

  /// The state in memory; nil for packed bytes.
  public var live: LiveNavigation? {
    if case .live(let live) = self { live } else { nil }
  }

  /// The packed form. Each call packs a live state again.
  public var packed: SplitBytes {
    switch self {
    case .packed(let bytes): bytes
    case .live(let live): live.packed
    }
  }

  /// The blobs in the packed form. A live state is packed if it has never been.
  var blobs: [LocatedBlob] {
    switch self {
    case .packed(let bytes): bytes.blobs
    case .live(let live): live.blobs
    }
  }

  /// The size of the packed form in bytes; 0 if a live state has never been packed.
  var knownSize: Int {
    switch self {
    case .packed(let bytes): bytes.count
    case .live(let live): live.knownSize
    }
  }

  /// The approximate size in memory, in bytes and without the blobs; 0 for a live state that has never been packed.
  var approximateSize: Int {
    switch self {
    case .packed(let bytes): bytes.rest.count
    case .live(let live): 4 * live.packedSize.load(ordering: .relaxed)
    }
  }
}

/// A state and the app that packs it. The object is immutable, and threads pass it on without copying the state.
public final class LiveNavigation: Sendable {
  public let app: AppDefinition
  public let state: SessionState
  /// The size of the packed form in bytes; 0 before the first packing.
  fileprivate let packedSize = Atomic(0)
  /// The blobs of the packed form; nil before the first packing, and without blobs.
  private let packedBlobs = LazyReference<LocatedBlobs>()

  public init(app: AppDefinition, state: SessionState) {
    self.app = app
    self.state = state
  }

  /// Returns whether the packed form exceeds a limit in bytes.
  ///
  /// - Parameters:
  ///   - known: the packed size of the previous state; 0 if it was not packed.
  ///   - input: the size in bytes of the value from outside that has led to this state.
  func isLarger(than limit: Int, known: Int, adding input: Int = 0) -> Bool {
    // Packing costs as much as an action. A state that stays in memory is packed at every 16th revision. Any other
    // state is packed at each step anyway.
    guard known + input > limit / 4 || known == 0 && state.revision % 16 == 1 else { return false }
    return packed.count > limit
  }

  var knownSize: Int { packedSize.load(ordering: .relaxed) }

  fileprivate var packed: SplitBytes {
    let packed = app.packSplit(state)
    if !packed.blobs.isEmpty { _ = packedBlobs.set(LocatedBlobs(packed.blobs)) }
    packedSize.store(packed.count, ordering: .releasing)
    return packed
  }

  fileprivate var blobs: [LocatedBlob] {
    packedSize.load(ordering: .acquiring) > 0 ? packedBlobs.value?.all ?? [] : packed.blobs
  }
}
