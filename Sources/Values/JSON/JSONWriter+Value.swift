extension JSONWriter {
  /// Writes a value, straight from its bytes.
  public mutating func value(_ value: Value) {
    value.withBase { base in _ = item(base, Int(value.start)) }
  }

  /// Writes the item at `at` and says where it ends.
  private mutating func item(_ base: UnsafePointer<UInt8>, _ at: Int) -> Int {
    let head = CBOR.head(base, at)
    switch head.major {
    case CBOR.unsigned: integer(Int64(bitPattern: head.argument))
    case CBOR.negative: integer(~Int64(bitPattern: head.argument))
    case CBOR.text:
      string(utf8: UnsafeBufferPointer(start: base + head.next, count: head.count))
      return head.next + head.count
    case CBOR.array:
      beginArray()
      var next = head.next
      for _ in 0..<head.count { next = item(base, next) }
      endArray()
      return next
    case CBOR.map:
      beginObject()
      var next = head.next
      for _ in 0..<head.count {
        next = item(base, next)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
        next = item(base, next)
      }
      endObject()
      return next
    default:
      simple(base[at], head)
    }
    return head.next
  }

  private mutating func simple(_ first: UInt8, _ head: CBOR.Head) {
    switch first {
    case CBOR.trueByte: boolean(true)
    case CBOR.falseByte: boolean(false)
    case CBOR.doubleByte: double(Double(bitPattern: head.argument))
    default: null()
    }
  }
}

extension Value: CustomStringConvertible {
  /// The value as JSON text.
  public var description: String {
    String(decoding: json, as: UTF8.self)
  }

  /// The value as JSON text. A double that is whole loses its fraction, as `JSONWriter.double` explains.
  public var json: [UInt8] {
    var writer = JSONWriter(capacity: Int(end - start) * 2)
    writer.value(self)
    return writer.finish()
  }
}
