internal import MicroHTTP
internal import Synchronization

/// Assigns each request an id, which the log, a problem and the response header `X-Request-Id` contain.
final class RequestIDs: Sendable {
  /// Distinguishes the ids of this process from those of others.
  private let prefix = UInt32.random(in: .min ... .max)
  private let count = Atomic<UInt64>(0)

  /// Returns the client's own id, if it sent 1 to 128 visible ASCII characters, or a new one.
  func id(for request: Request) -> String {
    guard let sent = request.header("X-Request-Id"), !sent.isEmpty, sent.utf8.count <= 128,
      sent.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { return next() }
    return sent
  }

  /// Returns the prefix and the number of the request in base 36, with a hyphen between them.
  func next() -> String {
    var text = ReversedText()
    text.append(count.wrappingAdd(1, ordering: .relaxed).newValue, radix: 36)
    text.append(UInt8(ascii: "-"))
    text.append(UInt64(prefix), radix: 36)
    return text.string
  }
}

extension Response {
  /// Adds `Cache-Control: no-store`, unless the response has such a header. Static files set their own.
  mutating func forbidStorage() {
    let name: StaticString = "Cache-Control"
    if !headers.contains(where: { $0.name.isSame(as: name) }) { headers.append((name, "no-store")) }
  }
}
