import Glibc
import Synchronization

/// The parts of a started server, and the order in which they end.
final class Running: Sendable {
  private let engine: Engine
  private let acceptor: Acceptor
  private let watchdog: Watchdog
  private let daemon: Daemon

  init(listener: consuming Listener, configuration: Server.Configuration, engine: Engine) throws(ServerError) {
    self.engine = engine
    acceptor = Acceptor(listener: listener)
    guard let daemon = Daemon(configuration: configuration, engine: engine) else { throw .daemonDidNotStart }
    self.daemon = daemon
    guard let watchdog = Watchdog(engine: engine) else {
      daemon.stop()
      throw .noThreads
    }
    self.watchdog = watchdog
    guard acceptor.start(into: daemon, engine) else {
      end()
      throw .noThreads
    }
  }

  /// The library aborts the process when it is stopped with a suspended connection, hence the order.
  func stop(grace: Duration) {
    engine.drain()
    acceptor.stop()
    endStreams()
    waitUntilIdle(grace, lingering: .now + engine.limits.stopLinger)
    endStreams()  // those that began meanwhile
    if engine.settleAll() { waitUntilIdle(.milliseconds(200), lingering: .now) }  // for those last answers to be sent
    end()
  }

  /// A stream would go on for ever. Its client is told that it is over, and has a second to take what there still is.
  private func endStreams() {
    let deadline = MonotonicTime.now + Duration.seconds(1).nanoseconds
    while engine.endStreams() && MonotonicTime.now < deadline { usleep(2000) }
  }

  private func end() {
    daemon.stop()
    watchdog.stop()
  }

  /// Idle is seen for 50 ms on end: a request may be in a polling thread that has read it, has not counted it yet, and does not run just
  /// now.
  ///
  /// - Parameter lingering: how long those who are between two requests are waited for.
  private func waitUntilIdle(_ patience: Duration, lingering: MonotonicTime) {
    let deadline = MonotonicTime.now + patience.nanoseconds
    var idleRounds = 0
    while idleRounds < 25 && MonotonicTime.now < deadline {
      let isOver = engine.load.connections == 0 || lingering < .now
      idleRounds = isOver && engine.isIdle ? idleRounds + 1 : 0
      usleep(2000)
    }
  }
}

/// The thread that ends what takes too long: the library's own timeout restarts with every byte.
final class Watchdog: Sendable {
  private let stopping = Semaphore()
  private let stopped = Semaphore()

  /// Nil when the system refuses another thread.
  init?(engine: Engine) {
    let started = Thread.start { [stopping, stopped] in
      while !stopping.wait(nanoseconds: engine.limits.watchInterval) {
        engine.enforceDeadlines(at: .now)
      }
      stopped.signal()
    }
    if !started { return nil }
  }

  /// Returns when the thread has done its last round.
  func stop() {
    stopping.signal()
    stopped.wait()
  }
}
