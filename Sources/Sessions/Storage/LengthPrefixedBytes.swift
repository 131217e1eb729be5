internal import Values

/// Texts and byte strings preceded by their length, and timestamps.
extension ByteWriter {
  mutating func append(sized bytes: [UInt8]) {
    append(varint: UInt64(bytes.count))
    append(bytes.span)
  }

  mutating func append(sized text: String) {
    append(varint: UInt64(text.utf8.count))
    append(text)
  }

  mutating func append(_ time: Timestamp) { append(varint: UInt64(bitPattern: time.milliseconds)) }
}

extension ByteReader {
  mutating func sizedText() throws(ValueError) -> String { try text(Int(clamping: try varint())) }

  mutating func sizedBytes() throws(ValueError) -> [UInt8] { try bytes(Int(clamping: try varint())) }

  mutating func skipSized() throws(ValueError) { try skip(Int(clamping: try varint())) }

  mutating func timestamp() throws(ValueError) -> Timestamp {
    Timestamp(milliseconds: Int64(bitPattern: try varint()))
  }

  mutating func bytes(_ count: Int) throws(ValueError) -> [UInt8] {
    try withBytes(count) { span in span.withUnsafeBufferPointer { Array($0) } }
  }
}
