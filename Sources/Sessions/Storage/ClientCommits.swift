internal import Navigation
internal import Values

/// A step that a client caused, as far as a later request has to be compared with it.
struct ClientCommit: Sendable, Equatable {
  /// The revision that the step led to.
  let revision: UInt64
  /// The revision that the request was sent for.
  let sentFor: UInt64
  /// The digest of the intent; see ``digest(of:_:_:)``.
  let intent: UInt64

  /// Returns 64 bits of a digest of an intent. The order of an input's members makes no difference.
  static func digest(of kind: JournalEntry.Kind, _ name: String, _ input: Value) -> UInt64 {
    Digest256(
      ofParts: [Array("usher intent".utf8), [kind.rawValue], Array(name.utf8), Array(input.sorted.bytes)]
    ).first
  }
}

extension ClientCommit {
  init(_ entry: JournalEntry) {
    self.init(
      revision: entry.revision, sentFor: entry.sentFor,
      intent: Self.digest(of: entry.kind, entry.name, entry.input))
  }

  fileprivate init(reading input: inout ByteReader) throws(ValueError) {
    revision = try input.varint()
    sentFor = revision &- (try input.varint())
    intent = try input.varint()
  }
}

extension Value {
  /// The value with the members of each map in the order of their keys.
  fileprivate var sorted: Value {
    switch kind {
    case .map:
      .object(
        members.sorted { $0.keyValue.bytes.lexicographicallyPrecedes($1.keyValue.bytes) }
          .map { ($0.key, $0.value.sorted) })
    case .array: .array(elements.map(\.sorted))
    default: self
    }
  }
}

/// The last client commits of a session, oldest first.
///
/// With these commits, the service recognizes retries and outdated views after more background commits than the journal
/// keeps.
public struct ClientCommits: Sendable, Equatable {
  private static let countLimit = 16

  private var all: [ClientCommit]

  /// Collects the client commits of a journal.
  init(_ journal: Journal) {
    all = journal.entries(after: 0).filter { !$0.kind.isBackground }.suffix(Self.countLimit).map(ClientCommit.init)
  }

  /// Appends the commit of a journal entry if a client caused it.
  mutating func append(_ entry: JournalEntry) {
    guard !entry.kind.isBackground else { return }
    all = all.suffix(Self.countLimit - 1) + [ClientCommit(entry)]
  }

  /// Returns the first of the commits after a revision; nil if no client commit came after it.
  func first(after revision: UInt64) -> ClientCommit? { all.first { $0.revision > revision } }
}

extension StoredSession {
  /// The result of looking for the first step after a revision that a client caused, and no event in the background.
  enum ClientStep {
    case none
    case recorded(ClientCommit)
    /// The journal and the client commits do not reach back that far, or the session has not reached the revision.
    case unknown
  }

  /// Returns the first step after a revision that a client caused.
  func firstClientStep(after seen: UInt64) -> ClientStep {
    guard seen < revision else { return .unknown }
    let later = journal.entries(after: seen)
    let first: ClientCommit?
    if later.first?.revision == seen + 1 {
      first = later.first { !$0.kind.isBackground }.map { ClientCommit($0) }
    } else {
      guard let commits else { return .unknown }
      first = commits.first(after: seen)
    }
    return first.map { .recorded($0) } ?? .none
  }
}

/// The stored form: the number of commits and, for each, its revision, the distance to the revision that its request was
/// sent for, and the digest of its intent.
extension ClientCommits {
  func write(to out: inout ByteWriter) {
    out.append(list: all) { commit, out in
      out.append(varint: commit.revision)
      out.append(varint: commit.revision &- commit.sentFor)
      out.append(varint: commit.intent)
    }
  }

  init(reading input: inout ByteReader) throws(ValueError) { all = try input.list(ClientCommit.init(reading:)) }
}
