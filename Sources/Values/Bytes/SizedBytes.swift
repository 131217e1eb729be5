/// Texts and byte strings preceded by their length, and timestamps.
extension ByteWriter {
  @inlinable
  package mutating func append(sized bytes: [UInt8]) {
    append(varint: UInt64(bytes.count))
    append(bytes.span)
  }

  @inlinable
  package mutating func append(sized text: String) {
    append(varint: UInt64(text.utf8.count))
    append(text)
  }

  @inlinable
  package mutating func append(_ time: Timestamp) { append(varint: UInt64(bitPattern: time.milliseconds)) }
}

extension ByteReader {
  package mutating func sizedText() throws(ValueError) -> String { try text(Int(clamping: try varint())) }

  package mutating func sizedBytes() throws(ValueError) -> [UInt8] { try bytes(Int(clamping: try varint())) }

  package mutating func skipSized() throws(ValueError) { try skip(Int(clamping: try varint())) }

  package mutating func timestamp() throws(ValueError) -> Timestamp {
    Timestamp(milliseconds: Int64(bitPattern: try varint()))
  }

  package mutating func bytes(_ count: Int) throws(ValueError) -> [UInt8] {
    try withBytes(count) { span in span.withUnsafeBufferPointer { Array($0) } }
  }
}
