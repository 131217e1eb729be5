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
    let number = count.wrappingAdd(1, ordering: .relaxed).newValue
    var reversed = InlineArray<21, UInt8>(repeating: UInt8(ascii: "-"))
    var length = Self.put(number, in: &reversed, from: 0)
    length = Self.put(UInt64(prefix), in: &reversed, from: length + 1)
    return String(unsafeUninitializedCapacity: length) { buffer in
      for place in 0..<length { buffer[place] = reversed[length - 1 - place] }
      return length
    }
  }

  /// Writes a number in base 36, the lowest digit first, and returns the place behind it.
  private static func put(_ number: UInt64, in text: inout InlineArray<21, UInt8>, from start: Int) -> Int {
    var rest = number
    var place = start
    repeat {
      let digit = UInt8(rest % 36)
      text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      rest /= 36
      place += 1
    } while rest > 0
    return place
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
