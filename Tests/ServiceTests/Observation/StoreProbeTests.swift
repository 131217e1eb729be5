import Sessions
import Stores
import Synchronization
import Testing

@testable import HTTPAPI

/// The frequency and the timeout of readiness probes.
@Suite struct StoreProbeTests {
  /// A store whose readiness probes a test can stall and fail.
  private final class ProbedStore: SessionStore {
    private let inner = MemoryStore()
    private let state = Mutex<(count: Int, isStalled: Bool, waiting: [CheckedContinuation<Void, Never>])>(
      (0, false, []))
    private let failure = Mutex<StoreError?>(nil)

    let isShared = false
    var probes: Int { state.withLock { $0.count } }

    func stall() { state.withLock { $0.isStalled = true } }
    func fail(_ error: StoreError?) { failure.withLock { $0 = error } }

    func resume() {
      let waiting = state.withLock { state in
        state.isStalled = false
        defer { state.waiting = [] }
        return state.waiting
      }
      for probe in waiting { probe.resume() }
    }

    func checkReady() async throws(StoreError) {
      await withCheckedContinuation { probe in
        let isResumed = state.withLock { state in
          state.count += 1
          if state.isStalled { state.waiting.append(probe) }
          return !state.isStalled
        }
        if isResumed { probe.resume() }
      }
      if let failure = failure.withLock({ $0 }) { throw failure }
    }

    func insert(_ session: StoredSession, outcome: CreationOutcome?) throws(StoreError) -> Bool {
      try inner.insert(session, outcome: outcome)
    }
    func load(_ key: SessionKey, _ freshness: Freshness) -> SessionLookup { inner.load(key, freshness) }
    func replace(_ session: StoredSession, with next: StoredSession) -> Bool { inner.replace(session, with: next) }
    func delete(_ session: StoredSession, forgetAt: Timestamp) -> Bool { inner.delete(session, forgetAt: forgetAt) }
    func creation(for key: IdempotencyDigest) -> CreationLookup { inner.creation(for: key) }
    func list(before cursor: SessionCursor, limit: Int) -> [ListedSession] { inner.list(before: cursor, limit: limit) }
    func list(numbered: ClosedRange<Int64>, limit: Int) -> [ListedSession] {
      inner.list(numbered: numbered, limit: limit)
    }
    func count() -> SessionCount { inner.count() }
    func count(of owner: SessionOwner, upTo limit: Int) -> Int { inner.count(of: owner, upTo: limit) }
    func sweep(now: Timestamp, tombstoneLifetime: Int64) { inner.sweep(now: now, tombstoneLifetime: tombstoneLifetime) }
    func close() {}
  }

  private let store = ProbedStore()

  @Test func `concurrent requests and those shortly after share one probe`() async {
    let probe = StoreProbe(interval: .seconds(600), timeout: .seconds(600))
    store.stall()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<100 { group.addTask { await probe.result(of: store).failure == nil } }
      group.addTask {
        while store.probes == 0 { await Task.yield() }
        store.resume()
        return true
      }
      for await isReady in group { #expect(isReady) }
    }
    for _ in 0..<100 { #expect(await probe.result(of: store).failure == nil) }
    #expect(store.probes == 1)
  }

  @Test func `the store is probed at most once a second`() async {
    let probe = StoreProbe()
    let start = ContinuousClock.now
    for _ in 0..<10_000 { _ = await probe.result(of: store) }
    let seconds = start.duration(to: .now) / .seconds(1)
    #expect(Double(store.probes) <= seconds + 1)
  }

  @Test func `a probe that times out fails for all requests, and no other starts until the store responds`() async {
    let probe = StoreProbe(interval: .zero, timeout: .milliseconds(20))
    store.stall()
    for _ in 0..<50 {
      let result = await probe.result(of: store)
      #expect(result.failure == .unavailable("The store has not answered for 0.02 seconds."))
      #expect(result.duration == .milliseconds(20))
    }
    #expect(store.probes == 1)
    store.resume()
    // The first response belongs to the probe that timed out, and is outdated by then.
    while await probe.result(of: store).failure != nil {}
    #expect(store.probes >= 2)
  }

  @Test func `a probe reports a failure and the recovery`() async {
    let probe = StoreProbe(interval: .zero, timeout: .seconds(600))
    for failure in [StoreError.unavailable("The disk is full."), nil, .unavailable("It is away."), nil] {
      store.fail(failure)
      #expect(await probe.result(of: store).failure == failure)
    }
    #expect(store.probes == 4)
  }
}
