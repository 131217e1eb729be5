internal import Synchronization

/// Whether a service wants to be sent requests. It serves those that come all the same.
///
/// Everything that reports the readiness of one store shares one value, so that callers share its probes.
public final class Readiness: Sendable {
  let storeProbe: StoreProbe
  private let draining = Atomic(false)

  public convenience init() { self.init(storeProbe: StoreProbe()) }

  init(storeProbe: StoreProbe) { self.storeProbe = storeProbe }

  public var isDraining: Bool { draining.load(ordering: .relaxed) }

  /// From here on `/readyz` says that it is not ready.
  public func drain() { draining.store(true, ordering: .relaxed) }
}
