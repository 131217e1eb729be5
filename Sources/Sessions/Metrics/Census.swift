public import CoreMetrics
internal import Observability

/// Counts a service's sessions, again and again.
public struct Census: Sendable {
  private let sessions: SessionService
  private let interval: Duration
  private let stored: Gauge
  private let live: Gauge

  public init(_ sessions: SessionService, every interval: Duration, metrics: any MetricsFactory) {
    self.sessions = sessions
    self.interval = interval
    stored = metrics.gauge(.storedSessions)
    live = metrics.gauge(.liveSessions)
  }

  /// Returns when its task is cancelled. It counts for a hundredth of the time at most, however many sessions there are.
  public func run() async {
    var pause: Duration
    repeat {
      let start = ContinuousClock.now
      if let count = try? await sessions.count() {
        stored.record(count.stored)
        live.record(count.live)
      }
      pause = max(interval, start.duration(to: .now) * 100)
    } while (try? await Task.sleep(for: pause)) != nil
  }
}
