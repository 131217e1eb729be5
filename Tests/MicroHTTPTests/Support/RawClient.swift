import Glibc

/// A TCP client that sends arbitrary bytes and reads responses. Each read has a timeout.
final class RawClient: @unchecked Sendable {
  /// Seconds. Any response takes less time, even under a sanitizer on a busy machine.
  private static let timeout = 30

  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private let server: AnyObject?

  /// - Parameters:
  ///   - server: An object that the client keeps alive.
  ///   - receiveBuffer: The size of the system's buffer for the client, in bytes; small for a slow reader.
  init(port: UInt16, server: AnyObject? = nil, receiveBuffer: Int32? = nil) throws {
    self.server = server
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if var size = receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }
    var timeout = timeval(tv_sec: Self.timeout, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafeBytes(of: &address) { bytes in
      connect(
        descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!,
        socklen_t(MemoryLayout<sockaddr_in>.size))
    }
    guard result == 0 else { throw Failure.cannotConnect }
  }

  deinit { close(descriptor) }

  /// The client's own port.
  var port: UInt16 {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      _ = getsockname(descriptor, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress!, &length)
    }
    return UInt16(bigEndian: address.sin_port)
  }

  enum Failure: Error {
    case cannotConnect, timedOut, ended
    case invalidHead(String)
  }

  /// Sends text. Returns false if the server has closed the connection.
  @discardableResult
  func send(_ text: String) -> Bool { send(Array(text.utf8)) }

  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Closes the sending side.
  func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Reads the next response. A response to HEAD has no body.
  func response(toHead: Bool = false) throws -> RawResponse {
    while true {
      if let end = headEnd() {
        var response = try RawResponse(head: buffer[..<end])
        buffer.removeFirst(end + 4)
        if response.status == 100 { continue }
        let isEmpty = toHead || response.status == 204 || response.status == 304
        let length = isEmpty ? 0 : Int(response.headers["content-length"] ?? "0")!
        while buffer.count < length { try fill() }
        response.body = String(decoding: buffer[..<length], as: UTF8.self)
        buffer.removeFirst(length)
        return response
      }
      try fill()
    }
  }

  /// Reads the next `count` bytes of a chunked body, up to the end of a chunk. With 0 it reads the last chunk.
  func chunks(_ count: Int) throws -> String {
    var text = ""
    repeat {
      while !buffer.contains(10) { try fill() }
      let line = buffer.prefix { $0 != 13 }
      let size = Int(String(decoding: line, as: UTF8.self), radix: 16)!
      while buffer.count < line.count + 2 + size + 2 { try fill() }
      text += String(decoding: buffer[(line.count + 2)..<(line.count + 2 + size)], as: UTF8.self)
      buffer.removeFirst(line.count + 2 + size + 2)
    } while text.utf8.count < count
    return text
  }

  /// Reads everything until the server closes the connection.
  func readToEnd() throws -> String {
    while true {
      do { try fill() } catch Failure.ended { return String(decoding: buffer, as: UTF8.self) }
    }
  }

  /// Whether the server closes the connection, after any further bytes.
  var isClosedByServer: Bool { (try? readToEnd()) != nil }

  private func headEnd() -> Int? {
    guard buffer.count >= 4 else { return nil }
    return (0...(buffer.count - 4)).first { buffer[$0..<($0 + 4)].elementsEqual([13, 10, 13, 10]) }
  }

  private func fill() throws {
    var piece = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &piece, piece.count, 0)
    if count > 0 { return buffer.append(contentsOf: piece[..<count]) }
    if count < 0, errno == EAGAIN || errno == EWOULDBLOCK { throw Failure.timedOut }
    throw Failure.ended
  }
}

/// A parsed response. Its header names are in lower case.
struct RawResponse {
  let status: Int
  let headers: [String: String]
  var body = ""

  init(head: ArraySlice<UInt8>) throws {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    guard let first = lines.first?.split(separator: " "), first.count > 1, let status = Int(first[1]) else {
      throw RawClient.Failure.invalidHead(String(decoding: head, as: UTF8.self))
    }
    self.status = status
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].drop { $0 == " " }.description
    }
    self.headers = headers
  }

  var closes: Bool { headers["connection"] == "close" }
}
