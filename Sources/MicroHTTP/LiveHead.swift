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
      return found(name)
    }

    private func found(_ name: StaticString) -> String? {
      head.state.withLock { state in
        guard state.number == number else { return nil }
        var value: UnsafePointer<CChar>?
        var size = 0
        let found = name.withUTF8Buffer { bytes in
          bytes.withMemoryRebound(to: CChar.self) { key in
            MHD_lookup_connection_value_n(state.connection, .HEADER_KIND, key.baseAddress, key.count, &value, &size)
          }
        }
        guard found == .YES, let value else { return nil }
        let text = UnsafeRawBufferPointer(start: value, count: size)
        // The library strips whitespace in front of a value only (RFC 9112, section 5.1 excludes both).
        let end = text.lastIndex { $0 != 0x20 && $0 != 0x09 }.map { $0 + 1 } ?? 0
        return String(decoding: text[..<end], as: UTF8.self)
      }
    }
  }
}
