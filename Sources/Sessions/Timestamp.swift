internal import Values

/// A moment, in whole milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Timestamp: Sendable, Hashable, Comparable {
  public let milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.milliseconds < b.milliseconds }

  public static func + (moment: Timestamp, seconds: Int64) -> Timestamp {
    Timestamp(milliseconds: moment.milliseconds + seconds * 1000)
  }

  /// `2026-11-20T12:00:00Z` (RFC 3339) as ASCII, cut to whole seconds; the years 1970 to 9999.
  public var characters: InlineArray<20, UInt8> {
    RFC3339.characters(secondsSince1970: max(milliseconds, 0) / 1000)
  }

  public var text: String {
    let characters = characters
    return String(unsafeUninitializedCapacity: characters.count) { buffer in
      for place in characters.indices { buffer[place] = characters[place] }
      return characters.count
    }
  }
}
