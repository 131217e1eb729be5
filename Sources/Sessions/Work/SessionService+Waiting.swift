internal import Navigation
internal import Synchronization

/// Requests that wait for the effects of a session.
extension SessionService {
  /// Returns the session once no effect of it is under way, or as it is after a time.
  ///
  /// - Parameter snapshot: the session as the caller knows it.
  public func settled(
    _ snapshot: Snapshot, by owner: SessionOwner? = nil, within time: Duration
  ) async throws(SessionError) -> Snapshot {
    let waiter = SettlingSubscriber()
    let isOver = waiters.withLock { waiters in
      waiters.all[ObjectIdentifier(waiter)] = waiter
      return waiters.isOver
    }
    if isOver { waiter.finish() }
    defer {
      waiters.withLock { $0.all[ObjectIdentifier(waiter)] = nil }
      unsubscribe(waiter, from: snapshot.id)
    }
    if try await subscribe(waiter, to: snapshot.id, by: owner, after: snapshot.session.revision) {
      let expiresAt = snapshot.session.expiresAt
      await waiter.wait(for: time) { [self] count in
        // Most effects end during these polls. `pollSharedStore` finds later changes that no process has announced.
        let mayBeUnannounced = store.isShared && count <= Self.pollCount
        if mayBeUnannounced || clock.now() >= expiresAt { await refresh(SessionKey(snapshot.id)) }
      }
    }
    return try await self.snapshot(snapshot.id, by: owner)
  }

  /// The number of looks for a change of another process, four a second.
  private static let pollCount = 8

  /// Ends the waiting of all requests, those to come included, with the sessions as they are.
  public func endWaiting() {
    let all = waiters.withLock { waiters in
      waiters.isOver = true
      return waiters.all.values
    }
    for waiter in all { waiter.finish() }
  }
}

/// A subscriber that waits for a revision at which no effect is under way.
final class SettlingSubscriber: EventSubscriber {
  private let settled: AsyncStream<Never>
  private let continuation: AsyncStream<Never>.Continuation

  init() { (settled, continuation) = AsyncStream.makeStream() }

  /// - Parameter poll: looks for a change; called four times a second, with the number of the call.
  func wait(for time: Duration, poll: @escaping @Sendable (Int) async -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [settled] in for await _ in settled {} }
      group.addTask { try? await Task.sleep(for: time) }
      group.addTask {
        for count in 1... {
          guard (try? await Task.sleep(for: .milliseconds(250))) != nil else { return }
          await poll(count)
        }
      }
      await group.next()
      group.cancelAll()
    }
  }

  func receive(backlog events: [SessionEvent]) -> Bool { events.allSatisfy { receive($0) } }

  func receive(_ event: SessionEvent) -> Bool {
    switch event.kind {
    case .view(let snapshot), .resync(let snapshot): if snapshot.pendingEffects.isEmpty { continuation.finish() }
    case .end: continuation.finish()
    }
    return true
  }

  func receiveKeepAlive() -> Bool { true }

  func finish() { continuation.finish() }
}
