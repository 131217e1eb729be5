public import Navigation
internal import Values

/// The progress of a piece of work, over all leases.
public enum WorkProgress {
  /// The work is done, and its event waits to be applied.
  case event(BackgroundEvent)
  /// The work has to be done again, and an earlier attempt may have had its effect.
  case uncertain
  /// The work has begun to wait under a key, and held signals have to be looked up. Signals that arrive meanwhile wait
  /// behind it.
  case lookUp

  private enum Kind: UInt8 { case done, failed, due, uncertain, signal, dropped, lookUp }

  /// The first progress of work that waits under a key.
  public static let firstLookUp = lookUp.encoded

  /// Returns whether a progress is an event, which needs nothing from outside.
  public static func isEvent(_ progress: [UInt8]?) -> Bool {
    guard let progress, let kind = progress.first else { return false }
    return kind != Kind.uncertain.rawValue
  }

  /// Whether the store has the progress without a report: as the first entry of a queue of signals.
  var isQueued: Bool {
    switch self {
    case .event(.signal), .lookUp: true
    default: false
    }
  }

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
    case .event(.signal(_, let input, let delivery, let sender)):
      out.append(Kind.signal.rawValue)
      out.append(varint: delivery.rawValue)
      out.append(encoded: input)
      out.append(encoded: sender.map { Value($0) } ?? .null)
    // An operator's decision is applied at once, and stored in no row.
    case .event(.dropped): out.append(Kind.dropped.rawValue)
    case .uncertain: out.append(Kind.uncertain.rawValue)
    case .lookUp: out.append(Kind.lookUp.rawValue)
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
      self = .event(.signal(id, try input.value(), delivery, sender: try input.value().text))
    case .dropped: self = .event(.dropped(id, nil))
    case .uncertain: self = .uncertain
    case .lookUp: self = .lookUp
    case nil: throw ValueError(.unsupported(kind), offset: 0)
    }
  }
}

/// A signal that waits for a piece of work, behind those that have arrived before.
public struct QueuedSignal: Sendable, Equatable {
  /// The same for each repetition of the signal, whatever its body.
  public let delivery: SignalDelivery
  /// The encoded ``WorkProgress``.
  public let event: [UInt8]

  /// The size in bytes of the signals that wait for a piece of work from which it takes no further one.
  public static let sizeLimit = 64 << 10

  public init(delivery: SignalDelivery, event: [UInt8]) {
    self.delivery = delivery
    self.event = event
  }

  init(_ input: Value, _ delivery: SignalDelivery, sender: String?) {
    // The event has no id when it is encoded, because that of the work changes while the signal waits.
    let event = BackgroundEvent.signal(WorkID(0), input, delivery, sender: sender)
    self.init(delivery: delivery, event: WorkProgress.event(event).encoded)
  }
}
