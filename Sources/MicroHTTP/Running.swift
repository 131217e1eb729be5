import Glibc

/// The parts of a started server, and the order in which they end.
final class Running: Sendable {
  private let engine: Engine
  private let workers: Int
  private let acceptor: Acceptor
  private let watchdog: Watchdog
  private let daemon: Daemon

  init(listener: consuming Listener, configuration: Server.Configuration, engine: Engine) throws(ServerError) {
    self.engine = engine
    workers = configuration.workers
    acceptor = Acceptor(listener: listener)
    guard let daemon = Daemon(configuration: configuration, engine: engine) else { throw .daemonDidNotStart }
    self.daemon = daemon
    guard let watchdog = Watchdog(engine: engine) else {
      daemon.stop()
      throw .noThreads
    }
    self.watchdog = watchdog
    guard Self.startWorkers(workers, engine: engine), acceptor.start(into: daemon, log: engine.log) else {
      end()
      throw .noThreads
    }
  }

  /// The library aborts the process when it is stopped with a suspended connection, hence the order.
  func stop(grace: Duration) {
    engine.drain()
    acceptor.stop()
    waitUntilIdle(grace)
    engine.settleAll()
    waitUntilIdle(min(max(grace, .milliseconds(200)), .seconds(1)))  // for those last answers to be sent
    end()
  }

  private func end() {
    daemon.stop()
    watchdog.stop()
    engine.queue?.close(takers: workers)
  }

  private func waitUntilIdle(_ patience: Duration) {
    let deadline = MonotonicTime.now + patience.nanoseconds
    while !engine.isIdle && MonotonicTime.now < deadline { usleep(1000) }
  }

  private static func startWorkers(_ count: Int, engine: Engine) -> Bool {
    guard let queue = engine.queue else { return true }
    for _ in 0..<count {
      guard Thread.start({ engine.work(from: queue) }) else { return false }
    }
    return true
  }
}
