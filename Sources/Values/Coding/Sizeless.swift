import Synchronization

/// The encodings of types without stored properties: being all alike, their values need to be encoded only once.
///
/// They are read at every encoding and written once a type, so a reader takes no lock: it looks into a table that is never
/// changed, only replaced by a larger one. Replaced tables are kept, because somebody may still be reading them; there are
/// as many as there are such types.
enum Sizeless {
  private final class Table: Sendable {
    let known: [ObjectIdentifier: Value]

    init(_ known: [ObjectIdentifier: Value]) { self.known = known }
  }

  /// The bits of an unmanaged reference, or 0.
  private static let current = Atomic<UInt>(0)

  static func encoding(of type: Any.Type) -> Value? {
    let bits = current.load(ordering: .acquiring)
    guard let pointer = UnsafeRawPointer(bitPattern: bits) else { return nil }
    return Unmanaged<Table>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.known[ObjectIdentifier(type)] }
  }

  static func remember(_ value: Value, of type: Any.Type) {
    var bits = current.load(ordering: .acquiring)
    while true {
      let pointer = UnsafeRawPointer(bitPattern: bits)
      var known = pointer.map { Unmanaged<Table>.fromOpaque($0)._withUnsafeGuaranteedRef { $0.known } } ?? [:]
      if known.updateValue(value, forKey: ObjectIdentifier(type)) != nil { return }
      let table = Unmanaged.passRetained(Table(known))
      let (exchanged, original) = current.compareExchange(
        expected: bits, desired: UInt(bitPattern: table.toOpaque()), ordering: .acquiringAndReleasing)
      if exchanged { return }
      table.release()
      bits = original
    }
  }
}
