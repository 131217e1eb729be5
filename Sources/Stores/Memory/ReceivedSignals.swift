internal import DequeModule
internal import Navigation
internal import Sessions
internal import Values

/// The signals that were received under a key: those that are held, and the repetitions that are recognised.
struct ReceivedSignals {
  private struct Identity: Hashable {
    let key: SignalKey
    let delivery: SignalDelivery

    init(_ keyed: KeyedSignal) { (key, delivery) = (keyed.key, keyed.signal.delivery) }
  }

  private struct Held {
    let signal: QueuedSignal
    let until: Timestamp
  }

  /// The maximum number of signals whose repetitions are recognised. Beyond it, the oldest are forgotten.
  private static let limit = 100_000

  private var received: [Identity: (receivers: Int, forgetAt: Timestamp)] = [:]
  /// The signals in the order of their arrival.
  private var order = Deque<Identity>()
  private var held: [SignalKey: [Held]] = [:]
  private(set) var heldCount = 0
  /// In bytes.
  private var heldSize = 0

  /// Returns the number of sessions that have received the same signal; nil if it is new.
  func receivers(of keyed: KeyedSignal, at now: Timestamp) -> Int? {
    received[Identity(keyed)].flatMap { now < $0.forgetAt ? $0.receivers : nil }
  }

  /// Adds a signal. Returns false, without adding it, if it is to be held and too many are held already.
  mutating func insert(_ keyed: KeyedSignal, _ receivers: Int, at now: Timestamp) -> Bool {
    if let hold = keyed.hold {
      let sizeOfKey = held[keyed.key]?.reduce(0) { $0 + $1.signal.event.count } ?? 0
      guard heldCount < KeyedSignal.holdLimit, heldSize < KeyedSignal.holdSizeLimit, sizeOfKey < QueuedSignal.sizeLimit
      else { return false }
      held[keyed.key, default: []].append(Held(signal: keyed.signal, until: now + hold))
      heldCount += 1
      heldSize += keyed.signal.event.count
    } else if receivers == 0 {
      // A repetition may find a receiver.
      return true
    }
    let identity = Identity(keyed)
    received[identity] = (receivers, now + KeyedSignal.memory)
    order.append(identity)
    while order.count > Self.limit { received[order.removeFirst()] = nil }
    return true
  }

  func held(for key: SignalKey, at now: Timestamp) -> [QueuedSignal] {
    (held[key] ?? []).filter { now < $0.until }.map(\.signal)
  }

  mutating func sweep(now: Timestamp) {
    while let oldest = order.first, received[oldest].map({ $0.forgetAt <= now }) ?? true {
      received[order.removeFirst()] = nil
    }
    held = held.compactMapValues { signals in
      let remaining = signals.filter { now < $0.until }
      return remaining.isEmpty ? nil : remaining
    }
    heldCount = held.values.reduce(0) { $0 + $1.count }
    heldSize = held.values.joined().reduce(0) { $0 + $1.signal.event.count }
  }
}
