import Glibc

/// A client with one connection that sends one request at a time. It takes about 2,000 instructions for each request.
struct Client {
  private let socket: Int32
  // Allocated once, because so large a block makes the allocator merge the small free ones that the service uses.
  private let buffer = UnsafeMutableBufferPointer<CChar>.allocate(capacity: 64 * 1024)

  init(port: UInt16) throws(Failure) {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
    let status = withUnsafeBytes(of: &address) {
      connect(socket, $0.assumingMemoryBound(to: sockaddr.self).baseAddress!, socklen_t($0.count))
    }
    guard status == 0 else {
      throw Failure(message: "The server cannot be reached: \(String(cString: strerror(errno))).")
    }
  }

  struct Failure: Error { let message: String }

  static func request(_ line: String, body: String) -> [UInt8] {
    Array("\(line) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  /// Sends a request, and waits for the complete response, which must be 200 with a `Content-Length`.
  func exchange(_ request: [UInt8]) {
    precondition(send(socket, request, request.count, 0) == request.count)
    var received = 0
    var end = Int.max
    let text = buffer.baseAddress!
    while received < end {
      let count = recv(socket, text + received, buffer.count - received - 1, 0)
      precondition(count > 0, "The server closed the connection.")
      received += count
      text[received] = 0
      if end == .max, let body = strstr(text, "\r\n\r\n") {
        precondition(strncmp(text, "HTTP/1.1 200", 12) == 0, "The response is not 200.")
        end = text.distance(to: body) + 4 + atol(strstr(text, "Content-Length: ") + 16)
      }
    }
  }
}
