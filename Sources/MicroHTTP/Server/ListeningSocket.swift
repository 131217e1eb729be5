import CMicroHTTPD
import Glibc

/// A listening socket, on which nobody waits to accept.
struct Listener: ~Copyable, Sendable {
  let descriptor: Int32
  let port: UInt16

  /// Listens on the first address of the host that the system accepts.
  init(host: String, port: UInt16, backlog: Int32) throws(ServerError) {
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, String(port), &hints, &list)
    guard failure == 0, let list else {
      throw .badHost(host, reason: String(cString: gai_strerror(failure)))
    }
    defer { freeaddrinfo(list) }

    var problem: Int32 = 0
    var next: UnsafeMutablePointer<addrinfo>? = list
    while let address = next?.pointee {
      let descriptor = Self.open(address, backlog: backlog)
      if descriptor >= 0 {
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
        return
      }
      problem = errno
      next = address.ai_next
    }
    if problem == EADDRINUSE { throw .addressInUse(host: host, port: port) }
    throw .cannotBind(host: host, port: port, reason: String(cString: strerror(problem)))
  }

  deinit {
    close(descriptor)
  }

  /// Refuses new clients, and those that wait to be accepted. The descriptor itself stays taken until `deinit`, so that it never
  /// means another socket.
  func shut() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private static func open(_ address: addrinfo, backlog: Int32) -> Int32 {
    let type = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(address.ai_family, type, address.ai_protocol)
    guard descriptor >= 0 else { return -1 }
    set(SO_REUSEADDR, SOL_SOCKET, to: 1, on: descriptor)
    if address.ai_family == AF_INET6 { set(IPV6_V6ONLY, Int32(IPPROTO_IPV6), to: 0, on: descriptor) }
    if bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, backlog) == 0 {
      return descriptor
    }
    let problem = errno
    close(descriptor)
    errno = problem
    return -1
  }

  private static func set(_ option: Int32, _ level: Int32, to value: Int32, on descriptor: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      _ = getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, &length)
    }
    // The port is in the same place for IPv4.
    return UInt16(bigEndian: address.sin6_port)
  }
}

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
