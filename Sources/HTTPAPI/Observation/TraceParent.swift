/// What `traceparent` says of the trace that a request is a part of (W3C Trace Context, section 3.2).
struct TraceParent: Equatable {
  /// 32 hexadecimal digits.
  let traceID: Substring
  /// 16 hexadecimal digits: the caller's span.
  let parentID: Substring

  /// Nil for anything that the recommendation calls invalid.
  init?(_ header: String) {
    let parts = header.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4 || parts.count == 5 && parts[0] != "00",
      Self.isHex(parts[0], 2), parts[0] != "ff", Self.isHex(parts[1], 32), Self.isHex(parts[2], 16),
      Self.isHex(parts[3], 2), !parts[1].allSatisfy({ $0 == "0" }), !parts[2].allSatisfy({ $0 == "0" })
    else { return nil }
    traceID = parts[1]
    parentID = parts[2]
  }

  private static func isHex(_ text: Substring, _ count: Int) -> Bool {
    text.utf8.count == count
      && text.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }
  }
}
