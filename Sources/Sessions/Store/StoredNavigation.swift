public import Navigation
internal import Synchronization

/// The navigation of a session on its way to a store and back: packed, or the state that packs into it.
public enum StoredNavigation: Sendable {
  case packed([UInt8])
  /// A state that is still at hand. A store may keep it as it is for as long as it lasts, which is no longer than the process.
  case live(LiveNavigation)

  public var isLive: Bool {
    if case .live = self { true } else { false }
  }

  /// The packed form; made by each call where it is not at hand.
  public var packed: [UInt8] {
    switch self {
    case .packed(let bytes): bytes
    case .live(let live): live.packed
    }
  }

  /// Bytes of the packed form; 0 before it was made.
  var knownSize: Int {
    switch self {
    case .packed(let bytes): bytes.count
    case .live(let live): live.knownSize
    }
  }

  /// About how many bytes it takes in memory; of a state that is known once it has been packed.
  var approximateSize: Int {
    switch self {
    case .packed(let bytes): bytes.count
    case .live(let live): 4 * live.packedSize.load(ordering: .relaxed)
    }
  }
}

/// A state with the app that packs it. A class, because it is handed on from thread to thread and never changes.
public final class LiveNavigation: Sendable {
  public let app: AppDefinition
  public let state: SessionState
  /// Bytes of the packed form; 0 before it was made.
  fileprivate let packedSize = Atomic(0)

  public init(app: AppDefinition, state: SessionState) {
    self.app = app
    self.state = state
  }

  /// Whether its packed form has more bytes.
  ///
  /// - Parameters:
  ///   - known: bytes of the state before it; 0 where it has not been packed.
  ///   - revision: how far it is from the first.
  func isLarger(than limit: Int, known: Int, _ revision: UInt64) -> Bool {
    // To pack takes as long as to act. A state that stays in memory is packed now and then, and any other with each step anyway.
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
