import CMicroHTTPD
import Dispatch
import Glibc
import Synchronization

/// The parts of a started server, and the order of their shutdown.
final class ServerRuntime: Sendable {
  private let context: ServerContext
  private let acceptor: Acceptor
  private let watchdog: Watchdog
  private let daemon: Daemon

  init(socket: consuming ListeningSocket, context: ServerContext) throws(ServerError) {
    self.context = context
    acceptor = Acceptor(socket: socket)
    guard let daemon = Daemon(context: context) else { throw .daemonDidNotStart }
    self.daemon = daemon
    guard let watchdog = Watchdog(context: context) else {
      daemon.stop()
      throw .noThreads
    }
    self.watchdog = watchdog
    guard acceptor.start(into: daemon, context) else {
      stopThreads()
      throw .noThreads
    }
  }

  /// Stops the server. libmicrohttpd aborts the process if it stops with a suspended connection, hence the order.
  func stop(grace: Duration) {
    context.drain()
    acceptor.stop()
    endStreams()
    waitUntilIdle(timeout: grace, lingerDeadline: .now + context.configuration.lingerTime.nanoseconds)
    endStreams()  // Ends the streams that began meanwhile.
    if context.refuseSuspendedRequests() {
      // Time to send the refusals, also where the polling threads wait for a processor.
      waitUntilIdle(timeout: .seconds(1), lingerDeadline: .now)
    }
    stopThreads()
  }

  /// Ends the streamed responses, which have no end of their own. Their clients have a second to take the pending
  /// bytes.
  private func endStreams() {
    let deadline = MonotonicTime.now + Duration.seconds(1).nanoseconds
    while context.endStreams() && MonotonicTime.now < deadline { usleep(2000) }
  }

  private func stopThreads() {
    daemon.stop()
    watchdog.stop()
  }

  /// Waits until the server has been idle for 50 ms: a preempted polling thread may have read a request without having
  /// counted it.
  ///
  /// - Parameter lingerDeadline: the moment until which open connections keep the server waiting for another request.
  private func waitUntilIdle(timeout: Duration, lingerDeadline: MonotonicTime) {
    let deadline = MonotonicTime.now + timeout.nanoseconds
    var idleRounds = 0
    while idleRounds < 25 && MonotonicTime.now < deadline {
      let isLingerOver = context.load.connections == 0 || lingerDeadline < .now
      idleRounds = isLingerOver && context.isIdle ? idleRounds + 1 : 0
      usleep(2000)
    }
  }
}

/// The thread that enforces deadlines. libmicrohttpd's own timeout restarts with every byte, so it stops no slow
/// client.
final class Watchdog: Sendable {
  /// An eventfd, readable once the thread has to stop.
  private let stopRequest = eventfd(0, Int32(EFD_CLOEXEC))
  private let stopped = DispatchSemaphore(value: 0)

  /// Starts the thread, or returns nil if the system refuses.
  init?(context: ServerContext) {
    let started =
      stopRequest >= 0
      && Thread.start { [stopRequest, stopped] in
        // The timeout of a Dispatch semaphore depends on the system time, which may change.
        let interval = Int32(context.timeouts.watchdogInterval / 1_000_000)
        var event = pollfd(fd: stopRequest, events: Int16(POLLIN), revents: 0)
        while poll(&event, 1, interval) <= 0 { context.enforceDeadlines(at: .now) }
        stopped.signal()
      }
    if !started { return nil }
  }

  deinit { close(stopRequest) }

  /// Stops the thread after its current round.
  func stop() {
    eventfd_write(stopRequest, 1)
    stopped.wait()
  }
}
