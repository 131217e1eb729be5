/// A type whose order differs between processes, since Swift seeds its hashes. Its encoding is sorted, so that equal
/// values have the same bytes.
protocol UnorderedCollection {
  /// The number of encoded items that make up one element.
  static var itemsPerElement: Int { get }
}

extension Set: UnorderedCollection {
  static var itemsPerElement: Int { 1 }
}

// A dictionary whose keys are neither strings nor integers encodes itself as an array of keys and values in turn.
extension Dictionary: UnorderedCollection {
  static var itemsPerElement: Int { 2 }
}

/// The coding key with which the standard library's dictionaries encode themselves.
///
/// The key identifies a dictionary without a dynamic cast. It is not public, so a dictionary that encodes itself
/// reveals it.
enum DictionaryCodingKey {
  static let type: ObjectIdentifier? = {
    let probe = Probe()
    try? ["": true].encode(to: probe)
    return probe.key
  }()

  private final class Probe: Encoder {
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

extension ByteWriter {
  /// Sorts the members of the map at `at` by the bytes of their keys. The map must end the buffer.
  mutating func sortMap(at: Int) {
    sort(at: at, group: 2) { base, entry in CBOR.textBytes(base, entry.lowerBound) }
  }

  /// Sorts the elements of the array at `at`, of `group` items each, by their bytes. The array must end the buffer.
  mutating func sortArray(at: Int, group: Int) {
    sort(at: at, group: group) { base, entry in
      UnsafeBufferPointer(start: base + entry.lowerBound, count: entry.count)
    }
  }

  private mutating func sort(
    at: Int, group: Int,
    by key: (UnsafePointer<UInt8>, Range<Int>) -> UnsafeBufferPointer<UInt8>
  ) {
    let base = start
    let head = CBOR.head(base, at)
    var position = head.next
    var entries: [Range<Int>] = []
    while position < count {
      let from = position
      for _ in 0..<group { position = CBOR.skip(base, position) }
      entries.append(from..<position)
    }
    entries.sort { key(base, $0).lexicographicallyPrecedes(key(base, $1)) }
    var sorted = ByteWriter(capacity: count - head.next)
    for entry in entries { sorted.append(base + entry.lowerBound, count: entry.count) }
    truncate(to: head.next)
    insert(sorted, at: head.next)
  }
}
