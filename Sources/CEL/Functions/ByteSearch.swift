/// A search for a text in linear time (Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", 1977).
///
/// UTF-8 is self-synchronizing, so an occurrence of the bytes is an occurrence of the code points.
struct ByteSearch {
  private let needle: [UInt8]
  /// The length of the longest border of each prefix of the needle.
  private let borders: [Int]

  init(_ needle: some Sequence<UInt8>) {
    let needle = Array(needle)
    self.needle = needle
    var borders = [Int](repeating: 0, count: needle.count)
    var length = 0
    for index in needle.indices.dropFirst() {
      while length > 0, needle[index] != needle[length] { length = borders[length - 1] }
      if needle[index] == needle[length] { length += 1 }
      borders[index] = length
    }
    self.borders = borders
  }

  /// Returns the offset of the first occurrence at or after an offset.
  func first(in text: [UInt8], from start: Int = 0) -> Int? {
    guard !needle.isEmpty else { return start }
    var length = 0
    for index in start..<max(start, text.count) {
      while length > 0, text[index] != needle[length] { length = borders[length - 1] }
      if text[index] == needle[length] { length += 1 }
      if length == needle.count { return index + 1 - length }
    }
    return nil
  }

  /// Returns the offset of the last occurrence at or before an offset: in the reversed text, it is the first one.
  static func last(_ needle: [UInt8], in text: [UInt8], through limit: Int) -> Int? {
    let lastOffset = text.count - needle.count
    let found = ByteSearch(needle.reversed()).first(in: text.reversed(), from: max(0, lastOffset - limit))
    return found.map { lastOffset - $0 }
  }
}
