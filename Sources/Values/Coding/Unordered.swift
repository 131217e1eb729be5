/// Types whose order differs from process to process, since Swift seeds its hashes. Their encoding is sorted, so that
/// the same value always gives the same bytes.
protocol Unordered {
  /// How many items of the array make up one element.
  static var itemsPerElement: Int { get }
}

extension Set: Unordered {
  static var itemsPerElement: Int { 1 }
}

// A dictionary whose keys are neither strings nor integers encodes itself as keys and values in turn.
extension Dictionary: Unordered {
  static var itemsPerElement: Int { 2 }
}

/// The coding key with which the standard library's dictionaries encode themselves. It is not public, so it is learnt
/// once by watching one; comparing with it is how a dictionary is told from a struct without a dynamic cast.
enum DictionaryKey {
  static let type: ObjectIdentifier? = {
    let watcher = Watcher()
    try? ["": true].encode(to: watcher)
    return watcher.key
  }()

  private final class Watcher: Encoder {
    var key: ObjectIdentifier?
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let discarded = EncoderStorage()

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      key = ObjectIdentifier(type)
      discarded.state.pointee.openContainer(CBOR.map, at: 0, depth: 0)
      return KeyedEncodingContainer(KeyedEncoding(storage: discarded, start: 0, depth: 0))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
      UnkeyedEncoding(storage: discarded, start: 0, depth: 0)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
      ItemEncoder(storage: discarded, start: 0, depth: 0)
    }
  }
}
