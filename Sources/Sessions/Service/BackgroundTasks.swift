public import CoreMetrics
internal import Observability
internal import Values

/// A background task that sweeps a service's store.
public struct Sweeper: Sendable {
  private let sessions: SessionService
  private let interval: Duration
  private let log: @Sendable (String) -> Void

  /// - Parameter log: receives a sentence when the sweeps begin to fail, and when they work again.
  public init(_ sessions: SessionService, every interval: Duration, log: @escaping @Sendable (String) -> Void) {
    self.sessions = sessions
    self.interval = interval
    self.log = log
  }

  /// Sweeps at each interval. Returns when its task is cancelled.
  public func run() async {
    var isFailing = false
    repeat {
      do throws(SessionError) {
        try await sessions.sweep()
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
}

/// A background task that keeps event streams alive and up to date.
public struct EventKeepAlive: Sendable {
  private let sessions: SessionService
  private let interval: Duration
  private let pollInterval: Duration

  /// - Parameters:
  ///   - interval: the time between keep-alives. Proxies close a silent connection after 30 or 60 seconds.
  ///   - pollInterval: the time between polls of a shared store, which find changes whose announcement was lost.
  public init(
    _ sessions: SessionService, every interval: Duration = .seconds(15),
    pollingEvery pollInterval: Duration = .seconds(2)
  ) {
    self.sessions = sessions
    self.interval = interval
    self.pollInterval = pollInterval
  }

  /// Returns when its task is cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { while (try? await Task.sleep(for: interval)) != nil { await sessions.sendKeepAlives() } }
      group.addTask { while (try? await Task.sleep(for: pollInterval)) != nil { await sessions.pollSharedStore() } }
      group.addTask { await sessions.relayStoreChanges() }
    }
  }
}

/// A background task that measures the numbers of sessions and of pieces of pending work.
public struct SessionGauges: Sendable {
  private let sessions: SessionService
  private let interval: Duration
  private let stored: Gauge
  private let live: Gauge
  private let pending: Gauge
  private let blocked: Gauge
  private let heldSignals: Gauge
  private let overdue: Gauge

  public init(_ sessions: SessionService, every interval: Duration, metrics: any MetricsFactory) {
    self.sessions = sessions
    self.interval = interval
    stored = metrics.gauge(.storedSessions)
    live = metrics.gauge(.liveSessions)
    pending = metrics.gauge(.workPending)
    blocked = metrics.gauge(.workBlocked)
    heldSignals = metrics.gauge(.heldSignals)
    overdue = metrics.gauge(.workOverdue)
  }

  /// Counts at each interval. Returns when its task is cancelled.
  ///
  /// The pause grows with the duration of a count, so that counting takes at most 1 % of the time. After a count that
  /// fails, such as by the timeout of a store that is away, it is at most five minutes.
  public func run() async {
    var pause: Duration
    repeat {
      let start = ContinuousClock.now
      let isCounted = await count()
      pause = Self.pause(interval, after: start.duration(to: .now), isCounted: isCounted)
    } while (try? await Task.sleep(for: pause)) != nil
  }

  static func pause(_ interval: Duration, after duration: Duration, isCounted: Bool) -> Duration {
    let pause = max(interval, duration * 100)
    return isCounted ? pause : min(pause, .seconds(300))
  }

  /// Records each count by itself. Returns whether all have succeeded.
  private func count() async -> Bool {
    let count = try? await sessions.count()
    let work = try? await sessions.store.countWork()
    if let count {
      stored.record(count.stored)
      live.record(count.live)
    }
    if let work {
      pending.record(work.pending)
      sessions.stuckGauge.set(work.stuck)
      blocked.record(work.blocked)
      heldSignals.record(work.heldSignals)
      let oldest = work.dueSince.map { sessions.now.milliseconds - $0.milliseconds } ?? 0
      overdue.record(Double(max(0, oldest)) / 1000)
    }
    let isEachDefinitionCounted = await sessions.countDefinitions()
    return count != nil && work != nil && isEachDefinitionCounted
  }
}
