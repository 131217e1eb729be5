import Foundation
import Glibc

/// A request on its own connection, line by line, and the head of its response. It can send requests that a client
/// library refuses, and shows headers that one hides. The connection stays open until the object is released.
final class RawExchange {
  struct Failure: Error {}

  private let descriptor: Int32
  /// The lines of the head, the status line first.
  private(set) var head: [String] = []

  init(_ address: URL, _ lines: [String]) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var server = sockaddr_in()
    server.sin_family = sa_family_t(AF_INET)
    server.sin_port = UInt16(address.port ?? 0).bigEndian
    server.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafeBytes(of: &server) {
      connect(
        descriptor, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
    let bytes = Array((lines + ["", ""]).joined(separator: "\r\n").utf8)
    guard connected == 0, send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw Failure()
    }
    var head: [UInt8] = []
    while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
      var byte: UInt8 = 0
      guard recv(descriptor, &byte, 1, 0) == 1 else { throw Failure() }
      head.append(byte)
    }
    self.head = String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }

  deinit { close(descriptor) }

  var status: Int? { head.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } }

  static func head(_ service: TestService, _ lines: [String]) throws -> [String] {
    try RawExchange(service.address, lines).head
  }
}
