package import Foundation
internal import Glibc
internal import Synchronization

/// A server on loopback that runs a script of the test for each connection, on a thread of its own.
package final class ScriptedServer: Sendable {
  package let port: UInt16
  private let isIPv6: Bool
  private let listener: Int32
  private let state = Mutex(State())

  private struct State {
    var accepted = 0
    var open = 0
    var maximumOpen = 0
    var heads: [String] = []
    var isStopped = false
  }

  /// - Parameter script: called with each connection, which is closed when the script returns.
  package init(isIPv6: Bool = false, _ script: @escaping @Sendable (ScriptedConnection) throws -> Void) throws {
    self.isIPv6 = isIPv6
    listener = try Loopback.listen(isIPv6: isIPv6)
    port = Loopback.port(of: listener)
    let (listener, state) = (listener, ServerState(self))
    Thread.detachNewThread {
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0, let server = state.server else {
          if descriptor >= 0 { close(descriptor) }
          break
        }
        server.state.withLock {
          $0.accepted += 1
          $0.open += 1
          $0.maximumOpen = max($0.maximumOpen, $0.open)
        }
        let connection = ScriptedConnection(descriptor) { [weak server] head in
          server?.state.withLock { $0.heads.append(head) }
        }
        Thread.detachNewThread { [weak server] in
          try? script(connection)
          connection.close()
          server?.state.withLock { $0.open -= 1 }
        }
      }
      close(listener)
    }
  }

  /// Ends the thread, which closes the listener.
  deinit { shutdown(listener, Int32(SHUT_RDWR)) }

  package var url: URL { URL(string: "http://\(isIPv6 ? "[::1]" : "127.0.0.1"):\(port)")! }

  /// The number of connections that were accepted so far.
  package var accepted: Int { state.withLock { $0.accepted } }
  /// The number of connections whose script has not returned.
  package var open: Int { state.withLock { $0.open } }
  package var maximumOpen: Int { state.withLock { $0.maximumOpen } }
  /// The heads of all requests so far.
  package var heads: [String] { state.withLock { $0.heads } }
}

/// The servers of a test. They run until the end of the test, which may outlive its last reference to a server.
package final class Servers: Sendable {
  private let all = Mutex<[ScriptedServer]>([])

  package init() {}

  package func start(
    isIPv6: Bool = false, _ script: @escaping @Sendable (ScriptedConnection) throws -> Void
  ) throws -> ScriptedServer {
    let server = try ScriptedServer(isIPv6: isIPv6, script)
    all.withLock { $0.append(server) }
    return server
  }
}

/// A weak reference to a server, through which the accepting thread sees whether the server still exists.
private final class ServerState: Sendable {
  private let reference: Mutex<WeakReference>

  private struct WeakReference { weak var server: ScriptedServer? }

  init(_ server: ScriptedServer) { reference = Mutex(WeakReference(server: server)) }

  var server: ScriptedServer? { reference.withLock { $0.server } }
}

/// A connection of a scripted server. Every read and write times out after 60 seconds.
package final class ScriptedConnection: Sendable {
  package struct Closed: Error {
    package init() {}
  }

  private let descriptor: Int32
  private let note: @Sendable (String) -> Void

  init(_ descriptor: Int32, _ note: @escaping @Sendable (String) -> Void) {
    self.descriptor = descriptor
    self.note = note
    var timeout = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Reads the head of the next request, without the empty line.
  ///
  /// - Throws: ``Closed`` if the client closed the connection.
  @discardableResult
  package func head() throws -> String {
    var bytes: [UInt8] = []
    while !bytes.suffix(4).elementsEqual([13, 10, 13, 10]) { bytes += try read(1) }
    let head = String(decoding: bytes.dropLast(4), as: UTF8.self)
    note(head)
    return head
  }

  package func read(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let received = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + filled, count - filled, 0) }
      guard received > 0 else { throw Closed() }
      filled += received
    }
    return bytes
  }

  package func write(_ text: String) throws { try write(Array(text.utf8)) }

  package func write(_ bytes: [UInt8]) throws {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Closed() }
      sent += count
    }
  }

  /// Writes chunks of 64 KiB until the client has read nothing for a second. Returns the number of bytes.
  package func writeUntilFull(atMost limit: Int) -> Int {
    var timeout = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    let piece = [UInt8](repeating: 120, count: 65536)
    var sent = 0
    while sent < limit {
      let count = send(descriptor, piece, min(piece.count, limit - sent), Int32(MSG_NOSIGNAL))
      guard count > 0 else { break }
      sent += count
    }
    timeout.tv_sec = 60
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    return sent
  }

  /// Returns once the client has closed the connection.
  package func waitForClose() {
    var piece = [UInt8](repeating: 0, count: 65536)
    while recv(descriptor, &piece, piece.count, 0) > 0 {}
  }

  /// Makes the connection close with a reset instead of an orderly end.
  package func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  fileprivate func close() { Glibc.close(descriptor) }
}

/// A listener with a full backlog, so that further connections wait.
package final class FullListener: Sendable {
  package let port: UInt16
  private let listener: Int32
  private let fillers: [Int32]

  package init() throws {
    listener = try Loopback.listen(backlog: 0)
    port = Loopback.port(of: listener)
    // The system completes one connection more than the backlog. The others stay pending.
    fillers = [port, port, port].map { Loopback.connect(to: $0) }
  }

  deinit { (fillers + [listener]).forEach { close($0) } }
}

package enum Loopback {
  package struct Failure: Error {}

  package static func listen(backlog: Int32 = 128, isIPv6: Bool = false) throws -> Int32 {
    let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let result =
      if isIPv6 {
        bind(
          descriptor,
          sockaddr_in6(
            sin6_family: sa_family_t(AF_INET6), sin6_port: 0, sin6_flowinfo: 0, sin6_addr: in6addr_loopback,
            sin6_scope_id: 0))
      } else {
        bind(descriptor, address(0))
      }
    guard result == 0, Glibc.listen(descriptor, backlog) == 0 else { throw Failure() }
    return descriptor
  }

  /// Starts a connection without waiting for it.
  package static func connect(to port: UInt16) -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    _ = withUnsafeBytes(of: address(port)) {
      Glibc.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count))
    }
    return descriptor
  }

  /// Returns the port of a socket. Addresses of both families have it in the same place.
  package static func port(of descriptor: Int32) -> UInt16 {
    var address = sockaddr_in6()
    var size = socklen_t(MemoryLayout<sockaddr_in6>.size)
    _ = withUnsafeMutableBytes(of: &address) {
      getsockname(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, &size)
    }
    return UInt16(bigEndian: address.sin6_port)
  }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func bind(_ descriptor: Int32, _ address: some Any) -> Int32 {
    withUnsafeBytes(of: address) {
      Glibc.bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count))
    }
  }
}
