public import Navigation
public import Values

/// The time of one piece of a session's pending work. The store finds due work by it, without reading sessions.
public struct ScheduledWork: Sendable, Equatable {
  public let id: WorkID
  /// The time from which the work is due: the time of its request for an effect, and ``Values/Timestamp/never`` for a
  /// signal, until it arrives.
  public let dueAt: Timestamp

  public init(id: WorkID, dueAt: Timestamp) {
    self.id = id
    self.dueAt = dueAt
  }

  init(_ work: PendingWork) {
    id = work.id
    switch work.content {
    case .effect: dueAt = work.since
    case .timer(let timer): dueAt = timer.dueAt
    case .signal: dueAt = .never
    }
  }
}

extension Timestamp {
  /// The due time of work that waits for something other than a time.
  public static let never = Timestamp(milliseconds: .max)
}

extension StoredSession {
  /// Returns the pending work that the predecessor does not have, and the ids of its work that this session no longer
  /// has.
  public func workChanges(since predecessor: StoredSession) -> (added: [ScheduledWork], removed: [WorkID]) {
    let (old, new) = (predecessor.work ?? [], work ?? [])
    guard old != new else { return ([], []) }
    return (new.filter { !old.contains($0) }, old.filter { !new.contains($0) }.map(\.id))
  }
}

/// Due work that a process has claimed. Until the lease expires, no other process claims it.
public struct ClaimedWork: Sendable, Equatable {
  public let session: SessionKey
  public let id: WorkID
  /// A random number that identifies the lease.
  public let lease: Int64
  /// The number of attempts that have reported an error.
  public let attempts: Int
  /// The number of leases since the last report, this one included. Each but this one was lost.
  public let claims: Int
  /// The result of earlier leases, encoded; see ``WorkReport/progress``.
  public let progress: [UInt8]?

  public init(session: SessionKey, id: WorkID, lease: Int64, attempts: Int, claims: Int, progress: [UInt8]?) {
    self.session = session
    self.id = id
    self.lease = lease
    self.attempts = attempts
    self.claims = claims
    self.progress = progress
  }
}

/// The report of the holder of a lease about work that is not finished.
public struct WorkReport: Sendable, Equatable {
  /// The time until the work is due again; nil if it is stuck until an operator retries it.
  public var pause: Duration?
  /// The number of attempts that have reported an error, this one included.
  public var attempts: Int
  /// The error, for operators.
  public var error: String
  /// The result so far, encoded: an event that waits to be applied, or that the attempts may have had their effect; nil
  /// if they had none.
  public var progress: [UInt8]?

  public init(pause: Duration?, attempts: Int, error: String, progress: [UInt8]? = nil) {
    self.pause = pause
    self.attempts = attempts
    self.error = error
    self.progress = progress
  }
}

/// The state of a piece of pending work in its store.
public struct WorkStatus: Sendable, Equatable {
  public let id: WorkID
  /// The number of attempts that have reported an error.
  public let attempts: Int
  /// The latest error; nil without one since the work was requested.
  public let error: String?
  /// Whether the work waits for an operator.
  public let isStuck: Bool
  /// The encoded ``WorkReport/progress``.
  public let progress: [UInt8]?

  public init(id: WorkID, attempts: Int, error: String?, isStuck: Bool, progress: [UInt8]?) {
    self.id = id
    self.attempts = attempts
    self.error = error
    self.isStuck = isStuck
    self.progress = progress
  }
}

/// The result of delivering an event to a piece of work that waits for one.
public enum WorkDelivery: Sendable, Equatable {
  case delivered
  /// An earlier event, of this encoding, still waits to be applied.
  case occupied([UInt8])
  /// No such work waits.
  case missing
}

/// The numbers of pieces of pending work in a store. Work that waits for a signal counts as neither.
public struct WorkCount: Sendable, Equatable {
  public var pending: Int
  /// The pieces that wait for an operator.
  public var stuck: Int

  public init(pending: Int, stuck: Int) {
    self.pending = pending
    self.stuck = stuck
  }
}

// MARK: - Stored form of the progress

/// The progress of a piece of work, over all leases.
enum WorkProgress {
  /// The work is done, and its event waits to be applied.
  case event(BackgroundEvent)
  /// The work has to be done again, and an earlier attempt may have had its effect.
  case uncertain

  private enum Kind: UInt8 { case done, failed, due, uncertain, signal, dropped }

  /// The progress as bytes: its kind, and its content as CBOR.
  var encoded: [UInt8] {
    var out = ByteWriter(pooled: 256)
    switch self {
    case .event(.done(_, let output)):
      out.append(Kind.done.rawValue)
      out.append(encoded: output)
    case .event(.failed(_, let failure)):
      out.append(Kind.failed.rawValue)
      // A failure has texts and flags only, which can always be encoded.
      out.append(encoded: (try? Value(encoding: failure)) ?? .emptyObject)
    case .event(.due): out.append(Kind.due.rawValue)
    case .event(.signal(_, let input, let delivery)):
      out.append(Kind.signal.rawValue)
      out.append(varint: delivery.rawValue)
      out.append(encoded: input)
    // An operator's decision is applied at once, and stored in no row.
    case .event(.dropped): out.append(Kind.dropped.rawValue)
    case .uncertain: out.append(Kind.uncertain.rawValue)
    }
    return out.finish()
  }

  init(of id: WorkID, encoded bytes: [UInt8]) throws(ValueError) {
    var input = ByteReader(bytes)
    let kind = try input.byte()
    switch Kind(rawValue: kind) {
    case .done: self = .event(.done(id, try input.value()))
    case .failed: self = .event(.failed(id, try input.value().decode(EffectFailure.self)))
    case .due: self = .event(.due(id))
    case .signal:
      let delivery = SignalDelivery(try input.varint())
      self = .event(.signal(id, try input.value(), delivery))
    case .dropped: self = .event(.dropped(id, nil))
    case .uncertain: self = .uncertain
    case nil: throw ValueError(.unsupported(kind), offset: 0)
    }
  }
}
