import CMicroHTTPD
import Synchronization

/// The head of the request that a connection is serving, for as long as the library keeps it.
///
/// A `Request` may outlive its answer, on any thread; the number tells which request a reference was made for,
/// and the lock keeps the library's memory in place while a value is copied from it.
final class LiveHead: Sendable {
  private struct State {
    let connection: OpaquePointer
    var number: UInt64 = 0
  }

  private let state: Mutex<State>

  init(connection: ConnectionHandle) {
    state = Mutex(State(connection: connection.pointer))
  }

  /// The head that is being served now.
  func reference(_ names: HeaderNames) -> Reference {
    Reference(head: self, names: names, number: state.withLock { $0.number })
  }

  /// The library is about to forget the head: references made so far find nothing from here on.
  func expire() {
    state.withLock { $0.number &+= 1 }
  }

  struct Reference: Sendable {
    fileprivate let head: LiveHead
    fileprivate let names: HeaderNames
    fileprivate let number: UInt64

    func value(of name: StaticString) -> String? {
      guard names.mayContain(name) else { return nil }
      return head.state.withLock { state in
        guard state.number == number else { return nil }
        return names.mayRepeat(name) ? Self.all(name, of: state.connection) : Self.first(name, of: state.connection)
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
      return text(UnsafeRawBufferPointer(start: value, count: size))
    }

    private static func all(_ name: StaticString, of connection: OpaquePointer) -> String? {
      var search = Search(name: name.description.lowercased())
      withUnsafeMutablePointer(to: &search) { search in
        _ = MHD_get_connection_values_n(
          connection, .HEADER_KIND,
          { context, _, name, nameSize, value, valueSize in
            context!.assumingMemoryBound(to: Search.self).pointee.note(
              UnsafeRawBufferPointer(start: name, count: nameSize),
              UnsafeRawBufferPointer(start: value, count: valueSize))
            return .YES
          }, search)
      }
      return search.values.isEmpty ? nil : search.values.joined(separator: ", ")
    }

    /// The headers of one name, which is in lower case.
    private struct Search {
      let name: String
      var values: [String] = []

      mutating func note(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if text(name).lowercased() == self.name { values.append(text(value)) }
      }
    }

    /// The library strips whitespace in front of a value only (RFC 9112, section 5.1 excludes both).
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
      let end = bytes.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? 0
      return String(decoding: bytes[..<end], as: UTF8.self)
    }
  }
}

/// What is known of the names of a request's headers without looking at them again: most headers that a handler asks for are
/// not there, and this tells in one step.
struct HeaderNames: Sendable {
  /// A bit for every pair of length and first letter, several of which share one.
  private var bits: UInt64 = 0
  /// Those bits that more than one name has set.
  private var repeated: UInt64 = 0

  mutating func insert(_ name: UnsafeBufferPointer<UInt8>) {
    let bit = Self.bit(first: name.first ?? 0, count: name.count)
    repeated |= bits & bit
    bits |= bit
  }

  /// False only if at most one header has this name.
  func mayRepeat(_ name: StaticString) -> Bool {
    repeated & Self.bit(first: name.utf8Start.pointee, count: name.utf8CodeUnitCount) != 0
  }

  /// False only if no header has this name, in upper or lower case.
  func mayContain(_ name: StaticString) -> Bool {
    bits & Self.bit(first: name.utf8Start.pointee, count: name.utf8CodeUnitCount) != 0
  }

  private static func bit(first: UInt8, count: Int) -> UInt64 {
    1 << UInt64((Int(first | 0x20) &+ 7 &* count) & 63)
  }
}
