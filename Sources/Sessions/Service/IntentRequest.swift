public import Navigation
internal import Values

/// What a client asks of a session, and under which conditions.
public struct IntentRequest: Sendable {
  public let intent: Intent
  /// The revision at which the client saw what it asks for; nil acts on the current one.
  public let revision: UInt64?
  public let idempotency: Idempotency?

  public init(_ intent: Intent, revision: UInt64? = nil, idempotency: Idempotency? = nil) {
    self.intent = intent
    self.revision = revision
    self.idempotency = idempotency
  }
}

extension Intent {
  /// The journal's words for the intent.
  var journalWords: (kind: JournalEntry.Kind, name: String, input: Value) {
    switch self {
    case .action(let name, let input): (.action, name, input)
    case .back: (.back, "back", .emptyObject)
    case .dismiss: (.dismiss, "dismiss", .emptyObject)
    case .tab(let name): (.tab, "tab", .object([("tab", Value(name))]))
    case .open(let link): (.open, "open", .object([("link", Value(link))]))
    }
  }
}

/// An idempotency key and the digest of the request that came with it.
public struct Idempotency: Sendable {
  public let key: String
  let fingerprint: Digest256

  /// - Parameter request: what the key stands for: method, path and body.
  public init(key: String, request: [[UInt8]]) {
    self.key = key
    fingerprint = Digest256(ofParts: request)
  }
}

/// What came of a request that was carried out, now or before.
public struct Performed: Sendable {
  public let snapshot: Snapshot
  /// Whether it had been carried out before, and nothing happened this time.
  public let isReplay: Bool
}
