import CMicroHTTPD
import Synchronization

/// The headers of a connection's current request, for as long as the library keeps them.
///
/// A `Request` may outlive its response, on any thread. The number identifies the request of a reference, and the lock
/// keeps the library's memory at one address while a value is copied.
final class ReceivedHeaders: Sendable {
  private struct State {
    let connection: OpaquePointer
    var number: UInt64 = 0
  }

  private let state: Mutex<State>

  init(connection: ConnectionHandle) {
    state = Mutex(State(connection: connection.pointer))
  }

  /// Returns a reference to the headers of the current request.
  func reference() -> Reference {
    Reference(headers: self, number: state.withLock { $0.number })
  }

  /// Invalidates all references, because the library is about to free the headers.
  func expire() {
    state.withLock { $0.number &+= 1 }
  }

  struct Reference: Sendable {
    fileprivate let headers: ReceivedHeaders
    fileprivate let number: UInt64

    func value(of name: StaticString, mayRepeat: Bool) -> String? {
      headers.state.withLock { state in
        guard state.number == number else { return nil }
        return mayRepeat ? Self.all(name, of: state.connection) : Self.first(name, of: state.connection)
      }
    }

    private static func first(_ name: StaticString, of connection: OpaquePointer) -> String? {
      var value: UnsafePointer<CChar>?
      var size = 0
      let found = name.withUTF8Buffer { bytes in
        bytes.withMemoryRebound(to: CChar.self) { key in
          MHD_lookup_connection_value_n(connection, .HEADER_KIND, key.baseAddress, key.count, &value, &size)
        }
      }
      guard found == .YES, let value else { return nil }
      return text(HTTPSyntax.Bytes(value, size))
    }

    private static func all(_ name: StaticString, of connection: OpaquePointer) -> String? {
      var search = Search(lowercasedName: name.description.lowercased())
      withUnsafeMutablePointer(to: &search) { search in
        _ = MHD_get_connection_values_n(
          connection, .HEADER_KIND,
          { context, _, name, nameSize, value, valueSize in
            let search = context!.assumingMemoryBound(to: Search.self)
            search.pointee.visit(HTTPSyntax.Bytes(name, nameSize), HTTPSyntax.Bytes(value, valueSize))
            return .YES
          }, search)
      }
      return search.values.isEmpty ? nil : search.values.joined(separator: ", ")
    }

    /// The search for the values of one header.
    private struct Search {
      let lowercasedName: String
      var values: [String] = []

      mutating func visit(_ name: HTTPSyntax.Bytes, _ value: HTTPSyntax.Bytes) {
        if text(name).lowercased() == lowercasedName { values.append(text(value)) }
      }
    }

    /// Decodes a value. The library strips only leading whitespace; RFC 9112, section 5.1, excludes trailing whitespace
    /// as well.
    private static func text(_ bytes: HTTPSyntax.Bytes) -> String {
      String(decoding: HTTPSyntax.trimmed(bytes), as: UTF8.self)
    }
  }
}

/// A Bloom filter of the names of a request's headers. Most lookups are for headers that the request does not have, and
/// the filter answers those in one step.
struct HeaderNameFilter: Sendable {
  /// One bit for every pair of length and first letter; several pairs share a bit.
  private var bits: UInt64 = 0
  /// The bits that more than one name has set.
  private var repeated: UInt64 = 0

  init() {}

  init(_ names: [String]) {
    for var name in names { name.withUTF8 { insert($0) } }
  }

  mutating func insert(_ name: UnsafeBufferPointer<UInt8>) {
    let bit = Self.bit(first: name.first ?? 0, count: name.count)
    repeated |= bits & bit
    bits |= bit
  }

  /// Returns false only if at most one header has this name.
  func mayRepeat(_ name: StaticString) -> Bool {
    repeated & Self.bit(first: name.utf8Start.pointee, count: name.utf8CodeUnitCount) != 0
  }

  /// Returns false only if no header has this name, in upper or lower case.
  func mayContain(_ name: StaticString) -> Bool {
    bits & Self.bit(first: name.utf8Start.pointee, count: name.utf8CodeUnitCount) != 0
  }

  private static func bit(first: UInt8, count: Int) -> UInt64 {
    1 << UInt64((Int(first | 0x20) &+ 7 &* count) & 63)
  }
}
