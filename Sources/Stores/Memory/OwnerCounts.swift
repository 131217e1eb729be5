internal import Sessions
internal import Synchronization

/// How many sessions in memory belong to each owner.
final class OwnerCounts: Sendable {
  private let counts = Mutex<[SessionOwner: Int]>([:])

  subscript(owner: SessionOwner) -> Int { counts.withLock { $0[owner] ?? 0 } }

  func add(_ owner: SessionOwner?) {
    guard let owner else { return }
    counts.withLock { $0[owner, default: 0] += 1 }
  }

  func remove(_ owner: SessionOwner?) {
    guard let owner else { return }
    counts.withLock { counts in
      let left = (counts[owner] ?? 0) - 1
      counts[owner] = left > 0 ? left : nil
    }
  }
}
