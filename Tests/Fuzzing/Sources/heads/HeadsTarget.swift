import Glibc
import Synchronization

@testable import Fuzzing
@testable import MicroHTTP

/// Sends any bytes over a connection to a real server. The handler receives only requests that a strict parser finds in
/// them, in their order. Otherwise a request could be smuggled past a proxy with a strict parser.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let pieces = input.byte() & 7 == 0 ? 1 + input.below(4) : 1
  let sent = input.remainder()
  let (seen, answer) = WireServer.shared.exchange(sent, in: pieces)
  let sound = StrictParser.requests(in: sent)
  let difference = "\(seen) instead of \(sound) in \(String(decoding: sent, as: UTF8.self).debugDescription)"
  hold(seen.count <= sound.count, "The handler received a request that was not sent: \(difference)")
  for (one, other) in zip(seen, sound) { hold(one == other, "The handler received another request: \(difference)") }
  if let first = sound.first, first.isPlain {
    hold(!seen.isEmpty, "The handler did not receive \(first). The response was \(answer)")
  }
  if !answer.isEmpty { hold(answer.hasPrefix("HTTP/1.1 "), "The response has no status line: \(answer)") }
  return 0
}

/// A server whose connections are socket pairs, which are faster than network connections and use no ports. Each has
/// an address of its own: a handler may receive a request after its client has stopped waiting, in a later run.
final class WireServer: Sendable {
  static let shared = WireServer()

  private let context: ServerContext
  private let daemon: Daemon
  private let recorder = Recorder()
  private let connections = Atomic<UInt32>(0)

  private init() {
    ProcessSettings.apply()
    var configuration = Server.Configuration()
    configuration.threads = 1
    context = ServerContext(configuration: configuration, handler: recorder, log: { _ in })
    daemon = Daemon(context: context)!
  }

  /// Sends bytes over a new connection. Returns the requests that the handler received, and the responses.
  func exchange(_ bytes: [UInt8], in pieces: Int) -> (seen: [WireRequest], answer: String) {
    var ends: [Int32] = [0, 0]
    hold(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0, "no socket pair could be created")
    let client = connections.add(1, ordering: .relaxed).newValue
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = client.bigEndian
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { storage in
      withUnsafeBytes(of: address) { storage.copyMemory(from: $0) }
    }
    hold(context.connectionBegan(), "the server has too many connections")
    hold(
      daemon.add(ends[1], address: &storage, length: socklen_t(MemoryLayout<sockaddr_in>.size)),
      "the server did not accept the connection")
    send(bytes, to: ends[0], in: pieces)
    shutdown(ends[0], Int32(SHUT_WR))
    let answer = read(ends[0])
    close(ends[0])
    return (recorder.take(from: IPAddress(high: 0, low: 0xFFFF << 32 | UInt64(client))), answer)
  }

  /// Sends the bytes in pieces, each after the server has read the previous one: the library notices the end of a
  /// connection immediately only if it arrives alone.
  private func send(_ bytes: [UInt8], to socket: Int32, in pieces: Int) {
    let size = max(1, (bytes.count + pieces - 1) / pieces)
    for start in stride(from: 0, to: bytes.count, by: size) {
      let piece = Array(bytes[start..<min(start + size, bytes.count)])
      guard Glibc.send(socket, piece, piece.count, Int32(MSG_NOSIGNAL)) == piece.count else { return }
      var unread: Int32 = 0
      for _ in 0..<10_000 where ioctl(socket, UInt(TIOCOUTQ), &unread) == 0 && unread > 0 { sched_yield() }
    }
  }

  private func read(_ socket: Int32) -> String {
    // The library sometimes misses the end of a connection. In a complete server, the watchdog closes the connection.
    var timeout = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    var answer: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = recv(socket, &piece, piece.count, 0)
      if count > 0 {
        answer += piece[..<count]
      } else {
        return String(decoding: answer, as: UTF8.self)
      }
    }
  }
}

private final class Recorder: Handler {
  private let seen = Mutex<[(client: IPAddress?, request: WireRequest)]>([])

  func respond(to request: Request) async -> Response {
    seen.withLock {
      $0.append(
        (request.peer, WireRequest(method: request.method.name, target: request.target, body: request.body)))
    }
    return Response(status: 200, body: Array("seen".utf8))
  }

  func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status) }

  /// Forgets all requests, and returns those of a client.
  func take(from client: IPAddress) -> [WireRequest] {
    seen.withLock { seen in
      defer { seen = [] }
      return seen.filter { $0.client == client }.map(\.request)
    }
  }
}
