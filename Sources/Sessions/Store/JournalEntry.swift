public import Values

/// One accepted intent of a session, or a hand-over. The journal is its history, and what makes a retry safe: an intent that arrives again
/// for the same revision is found here.
public struct JournalEntry: Sendable, Equatable {
  public enum Kind: UInt8, Sendable { case create, action, back, dismiss, tab, open, handOver }

  /// The revision that it led to; 1 for `create`.
  public let revision: UInt64
  public let at: Timestamp
  public let kind: Kind
  /// The name of the action; for the other kinds their own.
  public let name: String
  /// The members of the input that are declared, as they arrived; `{"tab": …}` or `{"link": …}`.
  public let input: Value
  /// The deep link that a session was created with.
  public let link: String?
  /// The screen that showed afterwards.
  public let screen: String

  public init(
    revision: UInt64, at: Timestamp, kind: Kind, name: String, input: Value, link: String? = nil, screen: String
  ) {
    self.revision = revision
    self.at = at
    self.kind = kind
    self.name = name
    self.input = input
    self.link = link
    self.screen = screen
  }

  /// Whether an intent is the one of this entry.
  func isSameIntent(_ kind: Kind, _ name: String, _ input: Value) -> Bool {
    self.kind == kind && self.name == name && self.input.isEquivalent(to: input)
  }
}

extension Value {
  /// Whether both are the same JSON value: the order of members does not count.
  func isEquivalent(to other: Value) -> Bool {
    if self == other { return true }
    guard kind == other.kind, count == other.count else { return false }
    switch kind {
    case .map:
      return members.allSatisfy { member in other[member.key].map { member.value.isEquivalent(to: $0) } ?? false }
    case .array:
      return zip(elements, other.elements).allSatisfy { $0.isEquivalent(to: $1) }
    default:
      return false
    }
  }
}
