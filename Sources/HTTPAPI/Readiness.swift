internal import Synchronization

/// Whether a service wants to be sent requests. It serves those that come all the same.
public final class Readiness: Sendable {
  private let draining = Atomic(false)

  public init() {}

  public var isDraining: Bool { draining.load(ordering: .relaxed) }

  /// From here on `/readyz` says that it is not ready.
  public func drain() { draining.store(true, ordering: .relaxed) }
}
