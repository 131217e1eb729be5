import Synchronization
import Testing
import Values

@testable import Navigation
@testable import Sessions

/// The runs of public effects that sessions share.
@Suite struct SharedOutcomesTests {
  private let shared = SharedOutcomes()
  private let runs = Runs()

  /// Counts the runs, and ends them when the test says so.
  private final class Runs: Sendable {
    private let state = Mutex((count: 0, waiting: [CheckedContinuation<SharedOutcomes.Outcome, Never>]()))
    var count: Int { state.withLock { $0.count } }

    func wait() async -> SharedOutcomes.Outcome {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          state.count += 1
          state.waiting.append(continuation)
        }
      }
    }

    func end(with outcome: SharedOutcomes.Outcome) {
      for continuation in state.withLock({ $0.waiting }) { continuation.resume(returning: outcome) }
    }
  }

  private func key(_ input: Value = "a", app: String = "app", version: Int = 1) -> SharedOutcomes.Key {
    SharedOutcomes.Key(app: app, effect: "fetch", version: version, input: input)
  }

  private func run(
    _ key: SharedOutcomes.Key, age: Duration = .seconds(3600), _ value: Value = "new"
  ) async -> (value: Value?, isShared: Bool) {
    let (outcome, isShared) = await shared.outcome(of: key, maximumAge: age) { .success(value) }
    return (try? outcome.get(), isShared)
  }

  @Test func `equal effects wait for one run, and have its outcome`() async throws {
    for outcome: SharedOutcomes.Outcome in [.failure(AttemptFailure(EffectFailure(.timeout))), .success("one")] {
      let runs = Runs()
      let tasks = (0..<50).map { _ in
        Task { await shared.outcome(of: key(), maximumAge: .zero) { await runs.wait() } }
      }
      for _ in 0..<10_000 where shared.waitingCount < 49 { try await Task.sleep(for: .milliseconds(1)) }
      runs.end(with: outcome)
      var sharedCount = 0
      for task in tasks {
        let (found, isShared) = await task.value
        #expect((try? found.get()) == (try? outcome.get()))
        if isShared { sharedCount += 1 }
      }
      #expect(runs.count == 1 && sharedCount == 49 && shared.waitingCount == 0)
    }
  }

  @Test func `an output serves equal effects until it is too old`() async {
    #expect(await run(key(), "first") == ("first", false))
    #expect(await run(key()) == ("first", true))
    for other in [key("b"), key(app: "other"), key(version: 2)] { #expect(await run(other).isShared == false) }
    #expect(await run(key("short"), age: .zero).isShared == false)
    #expect(await run(key("short")).isShared == false)
  }

  @Test func `a failure serves no later effect`() async {
    let (outcome, _) = await shared.outcome(of: key(), maximumAge: .seconds(3600)) {
      .failure(AttemptFailure(EffectFailure(.timeout)))
    }
    #expect((try? outcome.get()) == nil)
    #expect(await run(key()) == ("new", false))
  }

  @Test func `outputs give way to newer ones`() async {
    let large = Value(String(repeating: "x", count: 20 << 20))
    for (number, age) in [3, 1, 2].enumerated() { _ = await run(key(Value(number)), age: .seconds(age * 1000), large) }
    #expect(shared.size <= SharedOutcomes.sizeLimit && shared.size > 60 << 20)
    _ = await run(key("last"), large)
    #expect(shared.size <= SharedOutcomes.sizeLimit)
    // The one that expires first is gone.
    #expect(await run(key(0)).isShared)
    #expect(await run(key(2)).isShared)
    #expect(await run(key(1)).isShared == false)
    _ = await run(key("huge"), Value(String(repeating: "x", count: 65 << 20)))
    #expect(await run(key("huge")).isShared == false)
  }

  @Test func `outputs that have expired take no memory`() async {
    _ = await run(key("a"), age: .zero, Value(String(repeating: "x", count: 1000)))
    _ = await run(key("b"))
    #expect(shared.size < 1000)
    _ = await run(key("c"), age: .zero)
    shared.removeExpired()
    #expect(await run(key("b")).isShared)
    #expect(shared.size == SharedOutcomes.overhead + "app".utf8.count + "fetch".utf8.count + 2 + 4)
  }

  @Test func `the names of an effect count`() async {
    for number in 0..<200 { _ = await run(key(Value(number), app: String(repeating: "a", count: 500_000)), true) }
    #expect(shared.size <= SharedOutcomes.sizeLimit)
    #expect(await run(key(0, app: String(repeating: "a", count: 500_000))).isShared == false)
  }
}
