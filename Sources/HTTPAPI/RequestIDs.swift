internal import MicroHTTP
internal import Synchronization

/// The ids that requests are found by in the log: the client's own if it sent a plain one, otherwise a new one.
final class RequestIDs: Sendable {
  private let prefix: String
  private let count = Atomic<UInt64>(0)

  init() {
    // Tells the ids of one process from those of another.
    prefix = String(UInt32.random(in: .min ... .max), radix: 36)
  }

  func id(for request: Request) -> String {
    guard let sent = request.header("X-Request-Id"), !sent.isEmpty, sent.utf8.count <= 128,
      sent.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return next() }
    return sent
  }

  func next() -> String {
    "\(prefix)-\(String(count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36))"
  }
}
