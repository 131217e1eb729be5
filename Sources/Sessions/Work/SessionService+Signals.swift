public import Navigation
internal import Synchronization
public import Values

/// The result of receiving a signal.
public enum SignalReceipt: Sendable, Equatable {
  /// The signal is stored, and an event of its session soon.
  case accepted
  /// The signal was received before, and has no further effect.
  case repeated
}

/// Signals from outside.
extension SessionService {
  /// Stores a signal for the session of an address. The signal is an event of the session once the runner has applied
  /// it.
  ///
  /// - Parameters:
  ///   - input: the decoded body. A session takes the members that its definition declares.
  ///   - delivery: the same for each repetition of the signal.
  ///   - isAuthentic: returns whether the signal comes from a sender.
  /// - Throws: ``SessionError/forgedSignal`` if the signal requires a sender and does not come from it,
  ///   ``SessionError/unknownSignal`` for an address that is not or no longer awaited,
  ///   ``SessionError/exposedAddress`` for an input with the address itself,
  ///   ``SessionError/signalWaits`` while too many earlier signals for the address wait, and a rejection of an invalid
  ///   input.
  public func receive(
    _ input: Value, as delivery: SignalDelivery, at address: SignalAddress,
    isAuthentic: (_ sender: String) -> Bool = { _ in false }
  ) async throws(SessionError) -> SignalReceipt {
    guard address.isAuthentic(under: try await secret()) else { throw .unknownSignal }
    for _ in 0..<Self.deliveryAttempts {
      let (session, navigation) = try await receiver(of: address)
      let work = navigation.state.work.first { $0.signal.map(address.isAddress) ?? false }
      guard let work, let signal = work.signal, !navigation.state.isFinished else {
        guard let known = session.journal.entry(of: delivery, at: address) else { throw .unknownSignal }
        let definition = navigation.app.signals.first { $0.name == known.name }
        if let sender = definition?.sender, !isAuthentic(sender) { throw .forgedSignal }
        return .repeated
      }
      let definition = navigation.app.signals[signal.signal]
      if let sender = definition.sender, !isAuthentic(sender) { throw .forgedSignal }
      if signal.deliveries.contains(delivery) { return .repeated }
      let checked = try Self.check(input, of: definition)
      guard try await self.signal(exposedBy: [checked], navigation, of: address.session) == nil else {
        throw .exposedAddress
      }
      let queued = QueuedSignal(input, delivery, sender: definition.sender)
      let result = try await wrappingErrors(
        of: await store.deliver(queued, to: work.id, of: address.session, at: clock.now()))
      switch result {
      case .delivered:
        runner.workRequested()
        return .accepted
      case .repeated: return .repeated
      case .full: throw .signalWaits
      // Another signal was applied meanwhile.
      case .missing: continue
      }
    }
    throw .signalWaits
  }

  /// Returns an event as the definition of its session takes it. A signal waits for its session, which may move to another
  /// definition meanwhile; under a key, a signal has been received by the current one.
  func checked(
    _ event: BackgroundEvent, for work: PendingWork, in app: AppDefinition
  ) throws(SessionError) -> BackgroundEvent {
    guard case .signal(let id, let input, let delivery, let sender) = event, let signal = work.signal else {
      return event
    }
    let definition = app.signals[signal.signal]
    if let required = definition.sender, required != sender { throw .forgedSignal }
    return .signal(id, try Self.check(input, of: definition), delivery, sender: sender)
  }

  private static func check(_ input: Value, of signal: SignalDefinition) throws(SessionError) -> Value {
    do throws(InvalidInput) {
      return try signal.input.check(input)
    } catch {
      throw .rejected(.invalidInput(error), nil)
    }
  }

  /// Stores a signal for every session of an app that waits for it under a key.
  ///
  /// - Parameters:
  ///   - hold: the time for which the signal also reaches sessions that begin to wait; nil if it does not.
  ///   - delivery: the same for each repetition of the signal.
  ///   - isAuthentic: returns whether the signal comes from a sender.
  /// - Returns: the receipt, and the number of sessions that the signal has reached.
  /// - Throws: ``SessionError/unknownApp(hosted:)``, ``SessionError/stillLoading``, ``SessionError/undeclaredSignal``,
  ///   ``SessionError/forgedSignal`` if the signal requires a sender and does not come from it,
  ///   ``SessionError/signalWaits`` while too many earlier signals wait, ``SessionError/tooManyReceivers``, and a
  ///   rejection of an invalid input.
  public func receive(
    _ input: Value, of signal: String, to app: String, under key: String, hold: Duration?, as delivery: SignalDelivery,
    isAuthentic: (_ sender: String) -> Bool
  ) async throws(SessionError) -> (SignalReceipt, sessions: Int) {
    let app = try hostedApp(app)
    guard let definition = app.signals.first(where: { $0.name == signal }) else { throw .undeclaredSignal }
    if let sender = definition.sender, !isAuthentic(sender) { throw .forgedSignal }
    _ = try Self.check(input, of: definition)
    let keyed = KeyedSignal(
      key: SignalKey(key, of: signal, in: app.name),
      signal: QueuedSignal(input, delivery, sender: definition.sender), hold: hold)
    switch try await wrappingErrors(of: await store.deliver(keyed, at: clock.now())) {
    case .delivered(let count):
      runner.workRequested()
      return (.accepted, count)
    case .repeated(let count): return (.repeated, count)
    case .tooMany: throw .tooManyReceivers
    case .full: throw .signalWaits
    }
  }

  /// Gives the signals that are held for a key to work that has begun to wait under it, before those that have arrived
  /// since.
  func receiveHeld(_ signal: AwaitedSignal, of work: ClaimedWork, in app: AppDefinition) async throws(SessionError) {
    var held: [QueuedSignal] = []
    if let key = signal.key.map({ SignalKey($0, of: app.signals[signal.signal].name, in: app.name) }) {
      held = try await wrappingErrors(of: await store.heldSignals(for: key, at: clock.now()))
    }
    try await wrappingErrors(of: await store.settle(work, adding: held, at: clock.now()))
    runner.workRequested()
  }

  /// Each attempt after the first follows a signal that was applied at the same time. There are as many in a burst.
  private static let deliveryAttempts = 256

  private func receiver(of address: SignalAddress) async throws(SessionError) -> (StoredSession, LiveNavigation) {
    do throws(SessionError) {
      let session = try await carried(load(address.session))
      return (session, try navigation(of: session))
    } catch .unknownSession, .expired {
      throw .unknownSignal
    }
  }

  /// Returns the URL of a signal, for an effect; nil if the coordinator does not await the signal.
  ///
  /// - Parameter origin: the URL of the service without a path; nil if it is not known.
  /// - Throws: `Retry` if the session cannot be read now, and `EffectFailure` without an origin.
  func callback(
    for signal: String, awaitedBy coordinator: NodeID, in session: SessionKey, at origin: String?
  ) async throws -> String? {
    let address: SignalAddress
    do throws(SessionError) {
      let navigation = try navigation(of: await load(session))
      let awaited = navigation.state.work.filter { $0.owner == coordinator && navigation.app.name(of: $0) == signal }
        .compactMap(\.signal)
      guard let awaited = awaited.first(where: { $0.key == nil }) ?? awaited.first else { return nil }
      address = SignalAddress(of: awaited, in: session, under: try await secret())
    } catch {
      throw Retry(error.operatorDescription, mayHaveHappened: false)
    }
    guard let origin else {
      throw EffectFailure(
        .error, detail: "Senders of signals do not know the address of the service. Set it with --public-url.",
        mayHaveHappened: false)
    }
    return origin + address.path
  }

  /// The secret of the store, which is read once.
  func secret() async throws(SessionError) -> [UInt8] {
    if let known = storeSecret.withLock({ $0 }) { return known }
    let secret = try await wrappingErrors(of: await store.secret())
    storeSecret.withLock { $0 = secret }
    return secret
  }
}

extension Journal {
  /// Returns the entry of a delivery to an address, if it is kept.
  fileprivate func entry(of delivery: SignalDelivery, at address: SignalAddress) -> JournalEntry? {
    entries(after: 0).first { $0.delivery == delivery && $0.input["address"]?.int == Int64(address.number) }
  }
}

extension SignalAddress {
  fileprivate func isAddress(of signal: AwaitedSignal) -> Bool { signal.address == number && signal.seed == seed }
}
