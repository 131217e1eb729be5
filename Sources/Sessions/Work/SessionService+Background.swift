internal import Navigation
internal import Values

/// The result of applying a background event to a session.
enum BackgroundProgress {
  /// The session is at its next revision.
  case applied
  /// Nothing in the session waits for the event, or the session has ended.
  case obsolete
  /// The signal was applied before.
  case repeated
  /// The session cannot take the event for now. The work was requested at this time.
  case blocked(BackgroundObstacle, since: Timestamp)
  /// An earlier event of the same coordinator is stuck.
  case behind
  /// The handler of the event failed, for this reason.
  case failed(String)
}

/// Background commits: the outcomes of effects, and due events, become revisions of a session.
extension SessionService {
  /// Applies an event to a session, exactly once: by compare-and-set, and only while the session waits for it.
  ///
  /// - Parameter known: the session as it was loaded before; nil if it has to be loaded.
  func apply(
    _ event: BackgroundEvent, to key: SessionKey, _ known: StoredSession? = nil
  ) async throws(SessionError) -> BackgroundProgress {
    var known = known
    while true {
      guard let (session, current, work) = try await pendingWork(event.work, of: key, known) else { return .obsolete }
      known = nil
      if try await waits(event, for: work, of: key, in: current.state) { return .behind }
      let stamp = StepStamp.next(at: clock.now())
      let state: SessionState
      do throws(Rejection) {
        switch try current.app.apply(event, to: current.state, stamp: stamp) {
        case .obsolete: return .obsolete
        case .repeated: return .repeated
        case .blocked(let obstacle): return .blocked(obstacle, since: work.since)
        case .applied(let applied): state = applied
        }
      } catch {
        return .failed(SessionError.rejected(error, nil).operatorDescription)
      }
      let navigation = LiveNavigation(app: current.app, state: state)
      guard !navigation.isLarger(than: settings.stateLimit, known: session.navigation.knownSize, state.revision) else {
        return .failed("The state would exceed \(settings.stateLimit) bytes (--max-session-bytes).")
      }
      let visible: VisibleScreen
      do throws(SessionError) {
        visible = try self.visible(navigation)
      } catch {
        return .failed(error.operatorDescription)
      }
      let record = event.journalRecord(of: work, in: current.app)
      let entry = JournalEntry(
        revision: state.revision, at: stamp.time, kind: record.kind, name: record.name, input: record.input,
        screen: visible.screen.name, seed: state.seed(since: current.state, stamp))
      let next = session.advanced(to: .live(navigation), by: entry, keeping: settings.journalLimit)
      guard try await replace(session, with: next) else { continue }
      if entry.seed != 0 { workRequested.send() }
      if let channel = channels.channel(of: key) {
        channel.advance(to: Snapshot(id: channel.id, session: next, navigation: navigation, visible: visible))
      }
      return .applied
    }
  }
}

extension SessionService {
  /// Returns whether an event has to wait for earlier ones of its coordinator: for one that is stuck, and a new event
  /// also for those that wait behind it.
  ///
  /// An event at a guard delays no other: the other one may open the guard.
  private func waits(
    _ event: BackgroundEvent, for work: PendingWork, of key: SessionKey, in state: SessionState
  ) async throws(SessionError) -> Bool {
    if case .dropped = event { return false }
    let others = state.work.filter { $0.owner == work.owner && $0.id != work.id }.map(\.id)
    guard !others.isEmpty else { return false }
    let statuses = try await self.work(of: key)
    let isNew = statuses.first { $0.id == work.id }?.error == nil
    return statuses.contains { other in
      others.contains(other.id) && (other.isStuck && other.hasEvent || isNew && other.error == WorkStatus.behind)
    }
  }

  /// Returns whether a piece of claimed work is an event, which needs nothing from outside.
  func isEvent(_ work: ClaimedWork, of session: StoredSession?) async -> Bool {
    guard work.detached == nil else { return false }
    let found = try? await pendingWork(work.id, of: work.session, session)
    return found.map { $0.2.effect == nil } ?? false
  }

  /// Returns a piece of pending work with its session; nil if the session has ended or no longer has it.
  ///
  /// - Parameter known: the session as it was loaded since the work was claimed; nil if it has to be loaded.
  func pendingWork(
    _ id: WorkID, of key: SessionKey, _ known: StoredSession? = nil
  ) async throws(SessionError) -> (StoredSession, LiveNavigation, PendingWork)? {
    let session: StoredSession
    if let known, clock.now() < known.expiresAt {
      session = known
    } else {
      do throws(SessionError) {
        session = try await load(key, .current)
      } catch .unknownSession, .expired {
        return nil
      }
    }
    let navigation = try navigation(of: session)
    guard !navigation.state.isFinished, let work = navigation.state.work.first(where: { $0.id == id }) else {
      return nil
    }
    return (session, navigation, work)
  }
}

extension BackgroundEvent {
  /// The kind, name and input under which the journal records the event. The input contains the outcome, with which
  /// the step can be repeated.
  fileprivate func journalRecord(
    of work: PendingWork, in app: AppDefinition
  ) -> (kind: JournalEntry.Kind, name: String, input: Value) {
    let id = ("id", Value(Int(work.id.rawValue)))
    let members: [(String, Value)] =
      switch self {
      case .done(_, let output): [("outcome", "done"), ("value", output)]
      case .failed(_, let failure): [("outcome", "failed"), ("value", (try? Value(encoding: failure)) ?? .emptyObject)]
      case .due: []
      case .signal(_, let input, let delivery): [delivery.journalMember, ("value", input)]
      case .dropped(_, let delivery): [("outcome", "dropped")] + (delivery.map { [$0.journalMember] } ?? [])
      }
    let kind: JournalEntry.Kind =
      switch work.content {
      case .effect: .effect
      case .timer: .timer
      case .signal: .signal
      }
    let address = work.signal.map { [("address", Value(Int($0.address)))] } ?? []
    return (kind, app.name(of: work), .object([id] + address + members))
  }
}

extension SignalDelivery {
  fileprivate var journalMember: (String, Value) { ("delivery", Value(Int(Int64(bitPattern: rawValue)))) }
}

extension JournalEntry {
  /// The recorded delivery of a signal; nil for any other step.
  var delivery: SignalDelivery? {
    guard kind == .signal, let number = input["delivery"]?.int else { return nil }
    return SignalDelivery(UInt64(bitPattern: Int64(number)))
  }

  /// The recorded background event; nil for a step that is none.
  var backgroundEvent: BackgroundEvent? {
    guard kind.isBackground, let id = input["id"]?.int.flatMap({ UInt32(exactly: $0) }) else { return nil }
    if input["outcome"]?.text == "dropped" { return .dropped(WorkID(id), delivery) }
    if kind == .timer { return .due(WorkID(id)) }
    guard let value = input["value"] else { return nil }
    if kind == .signal { return delivery.map { .signal(WorkID(id), value, $0) } }
    if input["outcome"]?.text == "done" { return .done(WorkID(id), value) }
    return (try? value.decode(EffectFailure.self)).map { .failed(WorkID(id), $0) }
  }
}
