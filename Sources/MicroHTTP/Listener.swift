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
