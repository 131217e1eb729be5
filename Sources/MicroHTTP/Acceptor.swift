import CMicroHTTPD
import Glibc

/// The thread that accepts connections and hands them to the library.
///
/// The library could listen by itself, but release 0.9.75 may abort the process when it is told to stop listening
/// under load: the caller and a polling thread then both remove the socket from the same epoll set.
final class Acceptor: Sendable {
  private let listener: Listener
  /// Readable once it is to stop.
  private let stopping: Int32
  private let stopped = Semaphore()

  init(listener: consuming Listener) {
    self.listener = listener
    stopping = eventfd(0, Int32(EFD_CLOEXEC))
  }

  deinit { close(stopping) }

  /// False when the system refuses another thread.
  func start(into daemon: Daemon, _ engine: Engine) -> Bool {
    Thread.start { [self] in
      run(daemon, engine)
      stopped.signal()
    }
  }

  /// Accepts those that wait for it, and refuses further clients; returns when no further one reaches the library.
  func stop() {
    eventfd_write(stopping, 1)
    stopped.wait()
  }

  private func run(_ daemon: Daemon, _ engine: Engine) {
    var isStarved = false
    while true {
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let client = withUnsafeMutableBytes(of: &address) { bytes in
        accept(listener.descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, &length)
      }
      if client >= 0 {
        isStarved = false
        guard engine.connectionBegan() else {
          close(client)
          continue
        }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        if !daemon.add(client, address: &address, length: length) { engine.connectionEnded() }
        continue
      }
      switch errno {
      case EAGAIN:
        guard waitForClient() else { return listener.shut() }
      case EINVAL, EBADF: return
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        // It stays acceptable; without a pause this would spin.
        if !isStarved { engine.log("No more connections can be accepted: \(String(cString: strerror(errno))).") }
        isStarved = true
        usleep(20_000)
      default: break  // the client has left, or a signal came
      }
    }
  }

  /// Returns when somebody may be accepted; false once it is to stop.
  private func waitForClient() -> Bool {
    var events = [listener.descriptor, stopping].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&events, 2, -1) < 0, errno == EINTR {}
    return events[1].revents == 0 || events[0].revents != 0
  }
}
