internal import Navigation
public import Values

/// A step in the history of a session: an accepted intent, the creation, or a hand-over.
///
/// A retry is recognized by its entry: the same intent for the same revision.
public struct JournalEntry: Sendable, Equatable {
  public enum Kind: UInt8, Sendable { case create, action, back, dismiss, tab, open, handOver }

  /// The revision that the step led to; 1 for `create`.
  public let revision: UInt64
  public let at: Timestamp
  public let kind: Kind
  /// The name of the action. Every other kind has its own name.
  public let name: String
  /// The declared members of the input, as received. For a tab or a link: `{"tab": …}` or `{"link": …}`.
  public let input: Value
  /// The deep link with which the session was created.
  public let link: String?
  /// The visible screen after the step.
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

  /// Returns whether the entry records this intent.
  func isSameIntent(_ kind: Kind, _ name: String, _ input: Value) -> Bool {
    self.kind == kind && self.name == name && self.input.isEquivalent(to: input)
  }
}

extension Value {
  /// Returns whether two values are the same JSON value, regardless of the order of members.
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

extension [JournalEntry] {
  /// Returns the entries without the values of secret fields.
  ///
  /// - Parameter app: the session's app; nil if it is no longer hosted, which hides all input.
  func hidingSecrets(of app: AppDefinition?) -> [JournalEntry] {
    map { entry in
      switch entry.kind {
      case .create: entry.showing(schema: app?.input)
      case .action: entry.showing(schema: app?.input(of: entry.name))
      case .back, .dismiss, .tab, .open, .handOver: entry
      }
    }
  }
}

extension JournalEntry {
  fileprivate func showing(schema: InputSchema?) -> JournalEntry {
    let schema = schema ?? InputSchema(fields: [])
    return JournalEntry(
      revision: revision, at: at, kind: kind, name: name, input: schema.hidingSecrets(of: input), link: link,
      screen: screen)
  }
}

extension ByteWriter {
  mutating func append(journal entry: JournalEntry) {
    append(varint: entry.revision)
    append(entry.at)
    append(entry.kind.rawValue)
    if entry.kind == .action { append(sized: entry.name) }
    if entry.kind == .create { append(sized: entry.link ?? "") }
    append(encoded: entry.input)
    append(sized: entry.screen)
  }
}

extension ByteReader {
  mutating func journalEntry() throws -> JournalEntry {
    _ = try varint()
    let revision = try varint()
    let at = try timestamp()
    let kind = JournalEntry.Kind(rawValue: try byte()) ?? .action
    let name = kind == .action ? try sizedText() : "\(kind)"
    let link = kind == .create ? try sizedText() : ""
    let input = try value()
    return JournalEntry(
      revision: revision, at: at, kind: kind, name: name, input: input, link: link.isEmpty ? nil : link,
      screen: try sizedText())
  }
}
