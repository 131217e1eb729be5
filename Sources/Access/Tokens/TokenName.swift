/// The name of whom a token belongs to: 1 to 64 of the ASCII letters, digits, `.`, `_` and `-`.
public struct TokenName: Sendable, Equatable {
  public let text: String

  /// Nil for anything else.
  public init?(_ text: String) {
    let isName = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
      default: false
      }
    }
    guard isName, (1...64).contains(text.utf8.count) else { return nil }
    self.text = text
  }

  /// What a name has to be, as a sentence.
  public static let rule = "A name is 1 to 64 letters, digits, dots, underscores and hyphens."

  /// The principal's name, which no principal of another kind has.
  var principal: String { "token:\(text)" }
}
