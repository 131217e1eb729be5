import Synchronization

/// The encodings of types without stored properties: being all alike, their values need to be encoded only once.
enum Sizeless {
  private static let known = Mutex<[ObjectIdentifier: Value]>([:])

  static func encoding(of type: Any.Type) -> Value? {
    known.withLock { $0[ObjectIdentifier(type)] }
  }

  static func remember(_ value: Value, of type: Any.Type) {
    known.withLock { $0[ObjectIdentifier(type)] = value }
  }
}
