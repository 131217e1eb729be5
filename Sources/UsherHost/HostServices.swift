internal import Dispatch
internal import MicroHTTP
internal import ServiceLifecycle

/// A server that has started, until its group shuts down.
struct ServingUntilShutdown: Service {
  let server: Server
  /// For what is under way then.
  let timeout: Duration
  /// What comes before that, while it serves on.
  var before: @Sendable () async -> Void = {}

  func run() async throws {
    try? await gracefulShutdown()
    await before()
    await blocking { server.stop(grace: timeout) }
  }
}

/// Work that goes on until its group shuts down, which cancels it.
struct UntilShutdown: Service {
  private let work: @Sendable () async -> Void

  init(_ work: @escaping @Sendable () async -> Void) { self.work = work }

  func run() async throws { await cancelWhenGracefulShutdown(work) }
}

/// Runs what blocks on a thread that nobody else waits for.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { done in
    DispatchQueue.global().async { done.resume(with: Swift.Result { try work() }) }
  }
}

func blocking(_ work: @escaping @Sendable () -> Void) async {
  await withCheckedContinuation { done in
    DispatchQueue.global().async {
      work()
      done.resume()
    }
  }
}
