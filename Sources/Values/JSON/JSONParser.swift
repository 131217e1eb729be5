/// Reads JSON text (RFC 8259) straight into a value's bytes, with no tree in between and in linear time.
///
/// Stricter than the RFC where it leaves a choice: a key that occurs twice, lone surrogates, a byte order mark and more
/// than 32 levels are refused.
///
/// Numbers: what is written as an integer within Int64 becomes an integer. All else is rounded to the nearest double,
/// and if that is whole and within ±2^53 it becomes an integer too (`1.0`, `1e2`), as JSON Schema has it; so -0
/// becomes 0. A number too large for a double is refused, one too small becomes 0.
public enum JSONParser {
  /// The number that a text is in JSON; nil where it is anything else.
  public static func number(_ text: String) -> Value? {
    guard let value = try? parse(Array(text.utf8)), value.double != nil else { return nil }
    return value
  }

  /// How many arrays and objects may be nested in each other; fewer than a value's 64, since the texts are strangers'.
  public static let maximumDepth = 32

  /// Reads a text that is exactly one JSON value, with whitespace around it.
  ///
  /// - Parameter depth: how deep it may be nested, at most the 64 levels of a value.
  public static func parse(_ text: [UInt8], depth: Int = maximumDepth) throws(JSONError) -> Value {
    guard text.count <= UInt32.max / 4 else { throw JSONError(.tooLarge, offset: 0) }
    return try text.withUnsafeBufferPointer { (buffer) throws(JSONError) in
      guard let base = buffer.baseAddress, !buffer.isEmpty else { throw JSONError(.truncated, offset: 0) }
      var transcoder = JSONTranscoder(base: base, end: buffer.count, depth: min(depth, Value.maximumDepth))
      return try transcoder.run()
    }
  }
}
