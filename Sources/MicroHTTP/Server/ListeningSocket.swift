import CMicroHTTPD
import Dispatch
import Glibc

/// A socket that listens without blocking.
struct ListeningSocket: ~Copyable, Sendable {
  let descriptor: Int32
  let port: UInt16

  /// Listens on the first address of the host that the system accepts.
  init(_ configuration: Server.Configuration) throws(ServerError) {
    let (host, port) = (configuration.host, configuration.port)
    var hints = addrinfo()
    hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, String(port), &hints, &list)
    guard failure == 0, let list else {
      throw .badHost(host, reason: String(cString: gai_strerror(failure)), setting: configuration.hostSetting)
    }
    defer { freeaddrinfo(list) }

    var bindError: Int32 = 0
    var next: UnsafeMutablePointer<addrinfo>? = list
    while let address = next?.pointee {
      let descriptor = Self.open(address, backlog: configuration.backlog)
      if descriptor >= 0 {
        self.descriptor = descriptor
        self.port = Self.port(of: descriptor)
        return
      }
      bindError = errno
      next = address.ai_next
    }
    let (hostSetting, portSetting) = (configuration.hostSetting, configuration.portSetting)
    if bindError == EADDRINUSE { throw .addressInUse(port: port, setting: portSetting) }
    throw .cannotBind(
      host: host, port: port, reason: String(cString: strerror(bindError)),
      settings: hostSetting == portSetting ? hostSetting : "\(hostSetting) or \(portSetting)")
  }

  deinit {
    close(descriptor)
  }

  /// Refuses new clients, and those that the system has queued. The descriptor stays allocated until `deinit`, so that
  /// the system cannot reuse its number for another socket.
  func shut() {
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  private static func open(_ address: addrinfo, backlog: Int32) -> Int32 {
    let type = address.ai_socktype | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(address.ai_family, type, address.ai_protocol)
    guard descriptor >= 0 else { return -1 }
    setSocketOption(SO_REUSEADDR, SOL_SOCKET, to: Int32(1), on: descriptor)
    if address.ai_family == AF_INET6 {
      setSocketOption(IPV6_V6ONLY, Int32(IPPROTO_IPV6), to: Int32(0), on: descriptor)
    }
    if bind(descriptor, address.ai_addr, address.ai_addrlen) == 0, listen(descriptor, backlog) == 0 {
      return descriptor
    }
    let bindError = errno
    close(descriptor)
    errno = bindError
    return -1
  }

  private static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in6()
    var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      _ = getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, &length)
    }
    // The port has the same offset in an IPv4 address.
    return UInt16(bigEndian: address.sin6_port)
  }
}

/// The thread that accepts connections and passes them to libmicrohttpd.
///
/// The library does not listen itself, because release 0.9.75 may abort the process if it stops listening under load:
/// the caller and a polling thread both remove the socket from the same epoll set.
final class Acceptor: Sendable {
  private let socket: ListeningSocket
  /// An eventfd, readable once the thread has to stop.
  private let stopRequest: Int32
  private let stopped = DispatchSemaphore(value: 0)

  init(socket: consuming ListeningSocket) {
    self.socket = socket
    stopRequest = eventfd(0, Int32(EFD_CLOEXEC))
  }

  deinit { close(stopRequest) }

  /// Starts the thread. Returns false if the system refuses.
  func start(into daemon: Daemon, _ context: ServerContext) -> Bool {
    Thread.start { [self] in
      run(daemon, context)
      stopped.signal()
    }
  }

  /// Accepts the clients that the system has queued, then refuses new ones. After the call no further client reaches
  /// the library.
  func stop() {
    eventfd_write(stopRequest, 1)
    stopped.wait()
  }

  private func run(_ daemon: Daemon, _ context: ServerContext) {
    var isStarved = false
    while true {
      var address = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let client = withUnsafeMutableBytes(of: &address) { bytes in
        accept(socket.descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, &length)
      }
      if client >= 0 {
        isStarved = false
        guard context.connectionBegan() else {
          close(client)
          continue
        }
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        if !daemon.add(client, address: &address, length: length) { context.connectionEnded() }
        continue
      }
      switch errno {
      case EAGAIN:
        guard waitForClient() else { return socket.shut() }
      case EINVAL, EBADF: return
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        if !isStarved {
          let reason = String(cString: strerror(errno))
          context.log(
            "Cannot accept connections: \(reason). Raise the limit of open files (ulimit -n) or of memory, or lower "
              + "--max-connections.")
        }
        isStarved = true
        // The client stays in the queue, so the loop would spin without a pause.
        usleep(20_000)
      default: break  // the client has disconnected, or a signal interrupted the call
      }
    }
  }

  /// Returns true once a client is queued, and false once the thread has to stop.
  private func waitForClient() -> Bool {
    var events = [socket.descriptor, stopRequest].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&events, 2, -1) < 0, errno == EINTR {}
    return events[1].revents == 0 || events[0].revents != 0
  }
}
