internal import MicroHTTP
internal import Synchronization

/// Assigns each request an id, which the log, a problem and the response header `X-Request-Id` contain.
final class RequestIDs: ResponseMiddleware {
  /// Distinguishes the ids of this process from those of others.
  private let prefix = UInt32.random(in: .min ... .max)
  private let count = Atomic<UInt64>(0)

  func complete(_ response: inout Response, of call: Call) {
    response.headers.append(("X-Request-Id", call.requestID))
  }

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

/// Adds `Cache-Control: no-store` to each response that has no such header. Static files set their own.
final class CachePolicy: ResponseMiddleware {
  private static let name: StaticString = "Cache-Control"

  func complete(_ response: inout Response, of call: Call) {
    if !response.headers.contains(where: { $0.name.isSame(as: Self.name) }) {
      response.headers.append((Self.name, "no-store"))
    }
  }
}
