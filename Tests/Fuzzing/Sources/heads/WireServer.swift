import Glibc
import Synchronization

@testable import Fuzzing
@testable import MicroHTTP

/// A server whose connections are pairs of sockets, which are faster than those of a network and never run out.
final class WireServer: Sendable {
  static let shared = WireServer()

  private let context: ServerContext
  private let daemon: Daemon
  private let recorder = Recorder()

  private init() {
    ProcessSettings.ignoreBrokenPipes()
    var configuration = Server.Configuration()
    configuration.threads = 1
    context = ServerContext(configuration: configuration, handler: recorder, log: { _ in })
    daemon = Daemon(configuration: configuration, context: context)!
  }

  /// What the handler saw of a connection, and what the client got.
  func exchange(_ bytes: [UInt8], in pieces: Int) -> (seen: [WireRequest], answer: String) {
    var ends: [Int32] = [0, 0]
    hold(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0, "there are no sockets")
    var address = sockaddr_storage()
    address.ss_family = sa_family_t(AF_UNIX)
    hold(context.connectionBegan(), "there are too many connections")
    hold(daemon.add(ends[1], address: &address, length: socklen_t(MemoryLayout<sockaddr_un>.size)), "no connection")
    send(bytes, to: ends[0], in: pieces)
    shutdown(ends[0], Int32(SHUT_WR))
    let answer = read(ends[0])
    close(ends[0])
    return (recorder.take(), answer)
  }

  /// Each piece, and the end, only after the piece before was read: the library sees the end of a connection at once only where
  /// it comes by itself.
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
    // The library now and then does not see the end of a connection, which the watchdog of a whole server then cuts.
    var patience = timeval(tv_sec: 1, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
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
  private let seen = Mutex<[WireRequest]>([])

  func respond(to request: Request) async -> Response {
    seen.withLock {
      $0.append(WireRequest(method: request.method.name, target: request.target, body: request.body))
    }
    return Response(status: 200, body: Array("seen".utf8))
  }

  func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status) }

  func take() -> [WireRequest] {
    seen.withLock { seen in
      defer { seen = [] }
      return seen
    }
  }
}
