import Glibc

/// The server's end of a loopback connection, as listed in `/proc/net/tcp` (proc(5)).
struct KernelSocket {
  /// Whether the socket is closed and the system still keeps unsent data for the client.
  var isOrphaned: Bool { state != Self.established && state != Self.timeWait }
  /// Bytes that the client has not acknowledged, or that the system has not sent.
  let unacknowledged: Int
  private let state: Int

  private static let established = 1
  private static let timeWait = 6

  /// Finds the socket by its ports. Returns nil if the system has no such socket.
  init?(from local: UInt16, to remote: UInt16) {
    // The columns are the local address and port, the remote ones, the state, and the bytes to send and to read, in
    // hexadecimal.
    let ends = [local, remote].map { " 0100007F:" + Self.hexadecimal($0) }.joined() + " "
    let table = Self.table
    // strstr is fast. Other programs may have thousands of sockets.
    let found = table.withUnsafeBytes { bytes in
      let start = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
      return strstr(start, ends).map { UnsafePointer($0) - start }
    }
    guard let index = found else { return nil }
    let fields = String(decoding: table[(index + ends.utf8.count)...].prefix(32), as: UTF8.self).split(separator: " ")
    guard fields.count > 1, let state = Int(fields[0], radix: 16),
      let bytes = Int(fields[1].prefix { $0 != ":" }, radix: 16)
    else { return nil }
    self.state = state
    unacknowledged = bytes
  }

  private static func hexadecimal(_ port: UInt16) -> String {
    let digits = String(port, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  private static var table: [UInt8] {
    guard let file = fopen("/proc/net/tcp", "r") else { return [0] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&piece, 1, piece.count, file), count > 0 { bytes += piece[..<count] }
    return bytes + [0]
  }
}
