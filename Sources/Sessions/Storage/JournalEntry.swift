public import Navigation
public import Values

/// A step in the history of a session: an accepted intent, the creation, a hand-over, a background event, the report of
/// a stuck one, or a move to another definition.
public struct JournalEntry: Sendable, Equatable {
  public enum Kind: UInt8, Sendable {
    case create, action, back, dismiss, tab, open, handOver
    /// The outcome of an effect, an event that a coordinator has scheduled, and a signal from outside.
    case effect, timer, signal
    case reload, locale
    /// The move of a session to a newer definition of its app.
    case carry
    /// The report to clients that an event is stuck.
    case stuck

    /// Whether an event in the background was the cause, and no request of a client.
    var isBackground: Bool {
      switch self {
      case .effect, .timer, .signal, .carry, .stuck: true
      case .create, .action, .back, .dismiss, .tab, .open, .handOver, .reload, .locale: false
      }
    }

    fileprivate var hasLink: Bool { self == .create || self == .locale }
  }

  /// The revision that the step led to; 1 for `create`.
  public let revision: UInt64
  public let at: Timestamp
  public let kind: Kind
  /// The name of the action, effect, timed event or signal, also of a stuck one. Every other kind has its own name.
  public let name: String
  /// The declared members of the input, as received. For a tab, a link, a reload or a locale: `{"tab": …}`,
  /// `{"link": …}`, `{"property": …}` or `{"locale": …}`. For a background event: its id and, for an effect or a signal,
  /// the value from outside.
  public let input: Value
  /// The deep link with which the session was created; for `locale`, the locale before, with which earlier steps can be
  /// repeated.
  public let link: String?
  /// The visible screen after the step.
  public let screen: String
  /// The seed of the step; 0 for a step that requests no effect.
  let seed: UInt64
  /// The revision that the request was sent for; nil for the one before this step, and without a request.
  fileprivate let seen: UInt64?
  /// The owner with the claims that came with the request; nil if they are those of the step before.
  let principal: SessionPrincipal?

  public init(
    revision: UInt64, at: Timestamp, kind: Kind, name: String, input: Value, link: String? = nil, screen: String,
    seed: UInt64 = 0, seen: UInt64? = nil, principal: SessionPrincipal? = nil
  ) {
    self.revision = revision
    self.at = at
    self.kind = kind
    self.name = name
    self.input = input
    self.link = link
    self.screen = screen
    self.seed = seed
    self.seen = seen == revision &- 1 ? nil : seen
    self.principal = principal
  }

  /// The time and the seed with which the step can be repeated.
  var stamp: StepStamp { StepStamp(time: at, seed: seed) }

  /// The revision that the request was sent for.
  var sentFor: UInt64 { seen ?? revision &- 1 }
}

extension [JournalEntry] {
  /// Returns the entries without the values of secret fields.
  ///
  /// - Parameter app: the session's app; nil if it is no longer hosted, which hides all input.
  func hidingSecrets(of app: AppDefinition?) -> [JournalEntry] {
    // Another definition may have declared fields of the same names as secret.
    let carried = last { $0.kind == .carry }?.revision ?? 0
    return map { entry in
      let app = entry.revision > carried ? app : nil
      return switch entry.kind {
      case .create: entry.showing(schema: app?.input, of: app)
      case .action: entry.showing(schema: app?.input(of: entry.name), of: app)
      case .open: entry.showingLink(of: app)
      case .effect: entry.showing("id", "outcome")
      case .signal: entry.showing("id")
      case .back, .dismiss, .tab, .reload, .locale, .handOver, .timer, .carry, .stuck: entry
      }
    }
  }
}

extension JournalEntry {
  /// The entry with some members of its input, and without the value that came from outside.
  fileprivate func showing(_ members: String...) -> JournalEntry {
    showing(input: .object(members.map { ($0, input[$0] ?? .null) }))
  }

  fileprivate func showing(schema: InputSchema?, of app: AppDefinition?) -> JournalEntry {
    showing(
      input: (schema ?? InputSchema(fields: [])).hidingSecrets(of: input),
      link: link.map { Self.showing(link: $0, of: app) })
  }

  fileprivate func showingLink(of app: AppDefinition?) -> JournalEntry {
    let link = input["link"]?.text.map { Value(Self.showing(link: $0, of: app)) }
    return showing(input: .object([("link", link ?? .null)]))
  }

  private static func showing(link: String, of app: AppDefinition?) -> String {
    app?.hidingSecrets(ofLink: link) ?? AppDefinition.hiddenLink
  }

  private func showing(input: Value, link: String? = nil) -> JournalEntry {
    JournalEntry(revision: revision, at: at, kind: kind, name: name, input: input, link: link, screen: screen)
  }
}

/// Mark the kind of an entry that a seed, then a seen revision, and then a principal follow.
private let seedFlag: UInt8 = 0x80
private let seenFlag: UInt8 = 0x40
private let principalFlag: UInt8 = 0x20

extension ByteWriter {
  /// Appends an entry. Returns the blobs in it.
  mutating func append(journal entry: JournalEntry) -> [LocatedBlob] {
    append(varint: entry.revision)
    append(entry.at)
    var kindAndFlags = entry.kind.rawValue
    if entry.seed != 0 { kindAndFlags |= seedFlag }
    if entry.seen != nil { kindAndFlags |= seenFlag }
    if entry.principal != nil { kindAndFlags |= principalFlag }
    append(kindAndFlags)
    if entry.seed != 0 { append(varint: entry.seed) }
    if let seen = entry.seen { append(varint: seen) }
    if let principal = entry.principal { append(principal) }
    if entry.kind == .action || entry.kind.isBackground { append(sized: entry.name) }
    if entry.kind.hasLink { append(sized: entry.link ?? "") }
    let blobs = entry.input.size > Blob.limit ? entry.input.blobs.map { $0.moved(by: count) } : []
    append(encoded: entry.input)
    append(sized: entry.screen)
    return blobs
  }
}

extension ByteReader {
  /// Reads the size, the revision and the time of an entry.
  mutating func journalEntryHead() throws(ValueError) -> (revision: UInt64, at: Timestamp) {
    _ = try varint()
    return (try varint(), try timestamp())
  }

  mutating func journalEntry() throws -> JournalEntry {
    let (revision, at) = try journalEntryHead()
    let kindAndFlags = try byte()
    let seed = kindAndFlags & seedFlag == 0 ? 0 : try varint()
    let seen = kindAndFlags & seenFlag == 0 ? nil : try varint()
    let principal = kindAndFlags & principalFlag == 0 ? nil : try principal()
    let kind = JournalEntry.Kind(rawValue: kindAndFlags & ~(seedFlag | seenFlag | principalFlag)) ?? .action
    let name = kind == .action || kind.isBackground ? try sizedText() : "\(kind)"
    let link = kind.hasLink ? try sizedText() : ""
    let input = try value()
    return JournalEntry(
      revision: revision, at: at, kind: kind, name: name, input: input, link: link.isEmpty ? nil : link,
      screen: try sizedText(), seed: seed, seen: seen, principal: principal)
  }
}
