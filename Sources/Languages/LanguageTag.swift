/// Language tags such as `de-CH` (BCP 47).
public enum LanguageTag {
  /// Returns whether a text has the form of a language tag: subtags of 1 to 8 ASCII letters and digits, the first of
  /// which has letters only.
  public static func isWellFormed(_ text: String) -> Bool {
    let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard let first = subtags.first, first.allSatisfy({ isLetter($0) }) else { return false }
    return subtags.allSatisfy { (1...8).contains($0.count) && $0.allSatisfy { isLetter($0) || isDigit($0) } }
  }

  /// Returns the index of the best tag for a language range; nil if none matches (RFC 4647, section 3.4, Lookup).
  public static func lookUp(_ range: String, in tags: [String]) -> Int? {
    var range = Substring(range)
    while !range.isEmpty {
      if let index = tags.firstIndex(where: { isEqual($0, range) }) { return index }
      guard let hyphen = range.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
      range = range[..<hyphen]
      // A single letter or digit introduces what followed it.
      if range.utf8.dropLast().last == UInt8(ascii: "-") { range = range.dropLast(2) }
    }
    return nil
  }

  /// Returns the language of a user from the environment of a program (POSIX, section 8.2): `de-CH` for
  /// `de_CH.UTF-8`, whether or not the machine has the locale. Returns nil for `C` and `POSIX`, which name no language.
  package static func ofEnvironment(_ variables: [String: String]) -> String? {
    let values = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { variables[$0] }
    guard let locale = values.first(where: { !$0.isEmpty }) else { return nil }
    let tag = String(locale.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
    return ["C", "POSIX"].contains(tag) || !isWellFormed(tag) ? nil : tag
  }

  /// Returns whether both are one tag: the case of letters does not count.
  public static func isEqual(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
    a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).allSatisfy { lowercased($0) == lowercased($1) }
  }

  /// The first subtag in lower case, such as `de`.
  static func primary(of tag: String) -> String {
    String(decoding: tag.utf8.prefix { $0 != UInt8(ascii: "-") }.map { lowercased($0) }, as: UTF8.self)
  }

  /// The region in upper case, such as `CH` or `419`; nil without one.
  static func region(of tag: String) -> String? {
    for subtag in tag.utf8.split(separator: UInt8(ascii: "-")).dropFirst() {
      // A single letter or digit introduces an extension.
      if subtag.count == 1 { return nil }
      if subtag.count == 2 || subtag.count == 3 && subtag.allSatisfy({ isDigit($0) }) {
        return String(decoding: subtag, as: UTF8.self).uppercased()
      }
    }
    return nil
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
