public import Navigation
internal import Values

/// The progress of a piece of work, over all leases.
public enum WorkProgress {
  /// The work is done, and its event waits to be applied.
  case event(BackgroundEvent)
  /// The work has to be done again, and an earlier attempt may have had its effect.
  case uncertain
  /// The work has begun to wait under a key, and held signals have to be looked up. It is the first in the queue, so
  /// that signals that arrive meanwhile wait behind it.
  case lookUp

  private enum Kind: UInt8 { case done, failed, due, uncertain, signal, dropped, lookUp }

  /// The first progress of work that waits under a key.
  public static let firstLookUp = lookUp.encoded

  /// Returns whether a progress is an event, which needs nothing from outside.
  public static func isEvent(_ progress: [UInt8]?) -> Bool {
    guard let progress, let kind = progress.first else { return false }
    return kind != Kind.uncertain.rawValue
  }

  /// The size in bytes of waiting signals from which work takes no further one.
  public static let queueLimit = 64 << 10
  /// The digits that precede a signal or a look-up: its size. Signals that wait for one piece of work are stored one
  /// behind the other.
  public static let sizeDigits = 8

  /// Returns the size in bytes of the first signal in a progress, digits included; 0 if it has none.
  public static func firstSignalSize(in progress: [UInt8]?) -> Int {
    guard let digits = progress?.prefix(sizeDigits), let size = Int(String(decoding: digits, as: UTF8.self)) else {
      return 0
    }
    return sizeDigits + size
  }

  /// Returns the bytes of an encoded signal that each repetition has, whatever its body: the kind and the delivery.
  public static func identity(ofSignal signal: [UInt8]) -> [UInt8] {
    let content = signal.dropFirst(sizeDigits)
    // The last byte of a varint has no high bit.
    guard let end = content.dropFirst().firstIndex(where: { $0 < 0x80 }) else { return signal }
    return Array(content[...end])
  }

  /// The progress as bytes: its kind, and its content as CBOR; for a signal, preceded by the size of both.
  var encoded: [UInt8] {
    let bytes = content
    guard isQueued else { return bytes }
    let digits = Array("\(bytes.count)".utf8)
    return [UInt8](repeating: UInt8(ascii: "0"), count: Self.sizeDigits - digits.count) + digits + bytes
  }

  /// Whether the progress is the first of a queue.
  var isQueued: Bool {
    switch self {
    case .event(.signal), .lookUp: true
    default: false
    }
  }

  private var content: [UInt8] {
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

  /// Decodes a progress, or the first of several signals.
  init(of id: WorkID, encoded bytes: [UInt8]) throws(ValueError) {
    let size = Self.firstSignalSize(in: bytes)
    var input = ByteReader(size == 0 ? bytes : Array(bytes.prefix(size).dropFirst(Self.sizeDigits)))
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
