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
  ///   - input: the decoded body; members that the signal does not declare are dropped.
  ///   - delivery: the same for each repetition of the signal.
  ///   - isAuthentic: returns whether the signal comes from a sender.
  /// - Throws: ``SessionError/forgedSignal`` if the signal requires a sender and does not come from it,
  ///   ``SessionError/unknownSignal`` for an address that is not or no longer awaited,
  ///   ``SessionError/signalWaits`` while an earlier signal for the address waits, and a rejection of an invalid input.
  public func receive(
    _ input: Value, as delivery: SignalDelivery, at address: SignalAddress,
    isAuthentic: (_ sender: String) -> Bool = { _ in false }
  ) async throws(SessionError) -> SignalReceipt {
    guard address.isAuthentic(under: try await secret()) else { throw .unknownSignal }
    for _ in 0..<Self.deliveryAttempts {
      let (session, navigation) = try await receiver(of: address)
      let work = navigation.state.work.first { $0.signal.map(address.isAddress) ?? false }
      guard let work, let signal = work.signal, !navigation.state.isFinished else {
        let isKnown = session.journal.entries(after: 0).contains {
          $0.delivery == delivery && $0.input["address"]?.int == Int64(address.number)
        }
        guard isKnown else { throw .unknownSignal }
        return .repeated
      }
      let definition = navigation.app.signals[signal.signal]
      if let sender = definition.sender, !isAuthentic(sender) { throw .forgedSignal }
      if signal.deliveries.contains(delivery) { return .repeated }
      let checked: Value
      do throws(InvalidInput) {
        checked = try definition.input.check(input)
      } catch {
        throw .rejected(.invalidInput(error), nil)
      }
      let event = WorkProgress.event(.signal(work.id, checked, delivery)).encoded
      let result = try await wrappingErrors(
        of: await store.deliver(event, to: work.id, of: address.session, at: clock.now(), replacing: false))
      switch result {
      case .delivered:
        workRequested.send()
        return .accepted
      case .occupied(let earlier):
        guard case .event(.signal(_, _, delivery)) = try? WorkProgress(of: work.id, encoded: earlier) else {
          throw .signalWaits
        }
        return .repeated
      // Another signal was applied since the session was loaded.
      case .missing: continue
      }
    }
    throw .signalWaits
  }

  /// Each attempt after the first follows a signal that was applied at the same time.
  private static let deliveryAttempts = 8

  private func receiver(of address: SignalAddress) async throws(SessionError) -> (StoredSession, LiveNavigation) {
    do throws(SessionError) {
      let session = try await load(address.session, .current)
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
    let address: SignalAddress?
    do throws(SessionError) {
      address = try await self.address(of: signal, awaitedBy: coordinator, in: session)
    } catch {
      throw Retry(error.operatorDescription, mayHaveHappened: false)
    }
    guard let address else { return nil }
    guard let origin else {
      throw EffectFailure(
        .error, detail: "Senders of signals do not know the address of the service. Set it with --public-url.",
        mayHaveHappened: false)
    }
    return origin + address.path
  }

  /// Returns the address of a signal that a coordinator awaits; nil if the coordinator does not.
  private func address(
    of signal: String, awaitedBy coordinator: NodeID, in session: SessionKey
  ) async throws(SessionError) -> SignalAddress? {
    let navigation = try navigation(of: await load(session, .current))
    let work = navigation.state.work.first {
      $0.owner == coordinator && $0.signal != nil && navigation.app.name(of: $0) == signal
    }
    guard let awaited = work?.signal else { return nil }
    return SignalAddress(of: awaited, in: session, under: try await secret())
  }

  /// The secret of the store, which is read once.
  private func secret() async throws(SessionError) -> [UInt8] {
    if let known = storeSecret.withLock({ $0 }) { return known }
    let secret = try await wrappingErrors(of: await store.secret())
    storeSecret.withLock { $0 = secret }
    return secret
  }
}

extension SignalAddress {
  fileprivate func isAddress(of signal: AwaitedSignal) -> Bool { signal.address == number && signal.seed == seed }
}
