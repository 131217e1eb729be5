public import CoreMetrics
internal import Observability
internal import Values

/// The background tasks of a service. Each returns when its task is cancelled.
extension SessionService {
  /// Sweeps the store at each interval.
  ///
  /// - Parameter log: receives a sentence when the sweeps begin to fail, and when they work again.
  public func sweep(every interval: Duration, log: @Sendable (String) -> Void) async {
    var isFailing = false
    repeat {
      do throws(SessionError) {
        try await sweep()
        if isFailing { log("The sweep of expired sessions works again.") }
        isFailing = false
      } catch {
        if !Task.isCancelled, !isFailing {
          log("The sweep of expired sessions failed. \(error.operatorDescription)")
          isFailing = true
        }
      }
    } while (try? await Task.sleep(for: interval)) != nil
  }

  /// Keeps event streams alive and up to date.
  ///
  /// - Parameters:
  ///   - interval: the time between keep-alives. Proxies close a silent connection after 30 or 60 seconds.
  ///   - pollInterval: the time between polls of a shared store, which find changes whose announcement was lost.
  public func keepStreamsAlive(
    every interval: Duration = .seconds(15), pollingEvery pollInterval: Duration = .seconds(2)
  ) async {
    await withDiscardingTaskGroup { group in
      group.addTask { while (try? await Task.sleep(for: interval)) != nil { await self.sendKeepAlives() } }
      group.addTask { while (try? await Task.sleep(for: pollInterval)) != nil { await self.pollSharedStore() } }
      group.addTask { await self.relayStoreChanges() }
    }
  }

  /// Counts the sessions and the pieces of pending work at each interval.
  ///
  /// The pause grows with the duration of a count, so that counting takes at most 1 % of the time. After a count that
  /// fails, such as by the timeout of a store that is away, it is at most five minutes.
  public func count(every interval: Duration, in metrics: any MetricsFactory) async {
    let gauges = SessionGauges(metrics)
    var pause: Duration
    repeat {
      let start = ContinuousClock.now
      let isCounted = await count(in: gauges)
      pause = SessionGauges.pause(interval, after: start.duration(to: .now), isCounted: isCounted)
    } while (try? await Task.sleep(for: pause)) != nil
  }

  /// Records each count by itself. Returns whether all have succeeded.
  private func count(in gauges: SessionGauges) async -> Bool {
    let count = try? await count()
    let work = try? await store.countWork()
    if let count {
      gauges.stored.record(count.stored)
      gauges.live.record(count.live)
    }
    if let work {
      gauges.pending.record(work.pending)
      stuckMeter.set(work.stuck)
      gauges.blocked.record(work.blocked)
      gauges.heldSignals.record(work.heldSignals)
      let oldest = work.dueSince.map { now.milliseconds - $0.milliseconds } ?? 0
      gauges.overdue.record(Double(max(0, oldest)) / 1000)
    }
    let isEachDefinitionCounted = await countDefinitions()
    return count != nil && work != nil && isEachDefinitionCounted
  }
}

/// The gauges of sessions and of pieces of pending work.
struct SessionGauges {
  fileprivate let stored, live, pending, blocked, heldSignals, overdue: Gauge

  fileprivate init(_ metrics: any MetricsFactory) {
    stored = metrics.gauge(.storedSessions)
    live = metrics.gauge(.liveSessions)
    pending = metrics.gauge(.workPending)
    blocked = metrics.gauge(.workBlocked)
    heldSignals = metrics.gauge(.heldSignals)
    overdue = metrics.gauge(.workOverdue)
  }

  /// Returns the pause after a count.
  static func pause(_ interval: Duration, after duration: Duration, isCounted: Bool) -> Duration {
    let pause = max(interval, duration * 100)
    return isCounted ? pause : min(pause, .seconds(300))
  }
}
