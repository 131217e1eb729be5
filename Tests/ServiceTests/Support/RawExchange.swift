import Foundation
import Glibc

/// Sends the lines of a request over a connection of its own, and reads the head of the answer: what a client library would not
/// send, or would not show.
enum RawExchange {
  struct Failure: Error {}

  /// The lines of the head, the status line first.
  static func head(_ service: TestService, _ lines: [String]) throws -> [String] {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(service.address.port ?? 0).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let connected = withUnsafeBytes(of: &address) {
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
    return String(decoding: head, as: UTF8.self).split(separator: "\r\n").map(String.init)
  }
}
