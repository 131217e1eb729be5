internal import Glibc

/// Polls a condition until it holds. Returns false if it does not hold within the timeout.
package func eventually(
  within timeout: Duration = .seconds(60), _ condition: () async throws -> Bool
) async rethrows -> Bool {
  let deadline = ContinuousClock.now + timeout
  while ContinuousClock.now < deadline {
    if try await condition() { return true }
    try? await Task.sleep(for: .milliseconds(5))
  }
  return try await condition()
}

/// Blocks the thread until a condition holds. Returns false if it does not hold within the timeout.
@available(*, noasync)
@discardableResult
package func blockUntil(within timeout: Duration = .seconds(60), _ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + timeout
  while ContinuousClock.now < deadline {
    if condition() { return true }
    usleep(1000)
  }
  return condition()
}
