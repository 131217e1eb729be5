internal import Navigation
internal import Values

/// The result of applying a background event to a session.
enum BackgroundProgress {
  /// The session is at its next revision. A timer has the milliseconds since it was due, and an outcome that contained
  /// the address of a signal has the name of the signal.
  case applied(late: Int64?, exposed: String?)
  /// The session cannot take the data of a load, which has failed instead. The location is that of the event in its app.
  case unusableData(SessionError, location: EventLocation)
  /// The event is due at a later time, because the end of the session has moved.
  case early(until: Timestamp)
  /// The session no longer waits for the event, or has ended.
  case obsolete
  /// The signal was applied before.
  case repeated
  /// The session, at this version, cannot take the event for now. The work was requested at this time.
  case blocked(BackgroundObstacle, since: Timestamp, SessionVersion, location: EventLocation)
  /// An earlier event of the same coordinator is stuck until this time at most; nil if earlier events than this one wait
  /// for the same.
  case behind(until: Timestamp?)
  /// The handler of the event failed.
  case failed(SessionError)
}

/// Background commits: the outcomes of effects, and due events, become revisions of a session.
extension SessionService {
  /// Applies an event to a session, exactly once: by compare-and-set, and only while the session waits for it.
  ///
  /// - Parameter found: the work that the event is for, as it was found before; nil if it has to be loaded.
  func apply(
    _ event: BackgroundEvent, to key: SessionKey, _ found: FoundWork? = nil
  ) async throws(SessionError) -> BackgroundProgress {
    var known = found
    while true {
      if known == nil { known = try await pendingWork(event.work, of: key) }
      guard let found = known.take() else { return .obsolete }
      let (session, current, work) = (found.session, found.navigation, found.work)
      if work.timer?.lead != nil, let dueAt = work.dueAt(expiring: session.expiresAt), clock.now() < dueAt {
        return .early(until: dueAt)
      }
      let siblings = try await siblings(of: work, in: key, current.state)
      if let delay = siblings.delay(of: event) { return .behind(until: delay) }
      let original = event
      let checked: BackgroundEvent
      do throws(SessionError) {
        checked = try self.checked(event, for: work, in: current.app)
      } catch {
        return .failed(error)
      }
      let (event, exposed) = try await confined(checked, current, of: key)
      if exposed != nil, case .signal = event { return .failed(.exposedAddress) }
      func refused(_ error: SessionError) async throws(SessionError) -> BackgroundProgress {
        guard let failed = original.asFailure(of: work) else { return .failed(error) }
        let progress = try await apply(failed, to: key)
        guard case .applied = progress else { return progress }
        return .unusableData(error, location: current.location(of: work))
      }
      let stamp = StepStamp.next(at: clock.now())
      let mark = CrashedEvent(session: key, work: event.work).encoded
      let state: SessionState
      do throws(Rejection) {
        let result = try CrashReport.applying(mark) { () throws(Rejection) in
          try current.app.apply(event, to: current.state, stamp: stamp)
        }
        switch result {
        case .obsolete: return .obsolete
        case .repeated: return .repeated
        case .blocked(let obstacle):
          return .blocked(obstacle, since: work.since, session.version, location: current.location(of: work))
        case .applied(let applied): state = applied
        }
      } catch {
        return try await refused(.rejected(error, nil))
      }
      let navigation = LiveNavigation(app: current.app, state: state)
      let record = event.journalRecord(of: work, in: current.app)
      let visible: VisibleScreen
      do throws(SessionError) {
        try checkSize(of: navigation, after: session, adding: record.input.size)
        visible = try CrashReport.applying(mark) { () throws(SessionError) in
          try self.visible(navigation)
        }
      } catch {
        return try await refused(error)
      }
      let entry = JournalEntry(
        revision: state.revision, at: stamp.time, kind: record.kind, name: record.name, input: record.input,
        screen: visible.screen.name, seed: state.seed(since: current.state, stamp))
      guard try await commit(entry, of: session, navigation, visible) != nil else { continue }
      if !siblings.waiting.isEmpty { await wake(siblings.waiting, of: key) }
      return .applied(
        late: work.dueAt(expiring: session.expiresAt).map { stamp.time.milliseconds - $0.milliseconds },
        exposed: exposed)
    }
  }

  private func siblings(
    of work: PendingWork, in key: SessionKey, _ state: SessionState
  ) async throws(SessionError) -> EventSiblings {
    let others = state.work.filter { $0.owner == work.owner && $0.id != work.id }
    let statuses = try await others.isEmpty ? [] : self.work(of: key)
    return EventSiblings(of: work, others, statuses, at: clock.now(), setAsideAfter: settings.setAsideAfter)
  }

  /// Has the runner try the events of a session that may have waited for this step: for a guard, for room among the
  /// prompts, or for the end of a stuck event.
  func releaseEvents(
    of session: StoredSession, after before: StoredSession, in app: AppDefinition, _ state: SessionState
  ) {
    guard state.hasWork else { return }
    let now = clock.now()
    let mayWait = state.work.contains { $0.timer.map { $0.dueAt <= now } ?? true }
    let mayPass =
      app.hasGuards || app.hasRefusals || !app.prompts.isEmpty || !session.workChanges(since: before).removed.isEmpty
    if mayWait, mayPass { runner.changed(session.key, state.work) }
  }

  /// Makes the events of a session due that wait for it to change, in the order in which they became due.
  ///
  /// - Parameters:
  ///   - work: the pending work of the session.
  ///   - retriesStuck: whether stuck events are due too, for a definition whose handlers may not fail.
  func releaseEvents(of key: SessionKey, _ work: [PendingWork], retryingStuck retriesStuck: Bool = false) async {
    guard let statuses = try? await self.work(of: key) else { return }
    let owners = Dictionary(work.map { ($0.id, $0.owner) }) { first, _ in first }
    let (now, limit) = (clock.now(), settings.setAsideAfter)
    let blocking = statuses.filter { $0.holdsOthersBack(for: limit, at: now) }
    let stuck = retriesStuck ? [] : Set(blocking.compactMap { owners[$0.id] })
    let waiting = statuses.filter { status in
      guard status.error != nil, status.hasEvent, retriesStuck || !status.isStuck, let owner = owners[status.id] else {
        return false
      }
      return !(status.isBehind && stuck.contains(owner))
    }
    guard !waiting.isEmpty else { return }
    let ordered = work.sorted { ($0.timer?.dueAt ?? $0.since, $0.id) < ($1.timer?.dueAt ?? $1.since, $1.id) }
    await wake(ordered.map(\.id).filter { id in waiting.contains { $0.id == id } }, of: key)
  }

  /// Makes an event due at once that has been reported as waiting, if its session has changed meanwhile: that step could
  /// not release it.
  func retry(_ work: WorkID, of key: SessionKey, ifChangedSince version: SessionVersion) async {
    guard case .live(let session) = try? await lookUp(key), session.version != version else { return }
    await wake([work], of: key)
  }

  /// Makes events due that wait, in this order. If the process ends before, each is due by itself later.
  private func wake(_ events: [WorkID], of key: SessionKey) async {
    let now = clock.now()
    for (index, work) in events.enumerated() {
      // A millisecond after the previous one, so that they stay in their order, and all are due by now.
      let dueAt = Timestamp(milliseconds: now.milliseconds &- Int64(events.count - index))
      _ = try? await store.retry(work, of: key, with: nil, at: dueAt)
    }
    runner.workRequested()
  }

  /// Returns a piece of pending work; nil if the session has ended or no longer has it.
  ///
  /// - Parameter known: the session as it was loaded since the work was claimed; nil if it has to be loaded.
  func pendingWork(
    _ id: WorkID, of key: SessionKey, _ known: StoredSession? = nil
  ) async throws(SessionError) -> FoundWork? {
    let session: StoredSession
    if let known, clock.now() < known.expiresAt {
      session = try await carried(known)
    } else {
      do throws(SessionError) {
        session = try await carried(load(key))
      } catch .unknownSession, .expired {
        return nil
      }
    }
    let navigation = try navigation(of: session)
    guard !navigation.state.isFinished, let work = navigation.state.work.first(where: { $0.id == id }) else {
      return nil
    }
    return FoundWork(session: session, navigation: navigation, work: work)
  }
}

/// A piece of pending work, and the session that has it.
struct FoundWork {
  let session: StoredSession
  let navigation: LiveNavigation
  let work: PendingWork
}

extension LiveNavigation {
  /// The location of an event in its app, for operators: `checkout › payment › paid`.
  func location(of work: PendingWork) -> EventLocation {
    let coordinator = state.node(work.owner).map { app.name(of: $0) }
    return EventLocation(app: app.name, coordinator: coordinator, event: app.name(of: work))
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
      case .signal(_, let input, let delivery, _): [delivery.journalMember, ("value", input)]
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

  /// The failure of a load whose data the session cannot take, so that its screen shows a problem; nil for any other
  /// event.
  fileprivate func asFailure(of work: PendingWork) -> BackgroundEvent? {
    guard case .done(let id, _) = self, work.effect?.property != nil else { return nil }
    return .failed(id, EffectFailure(.decoding, detail: "The session cannot take the data."))
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

  /// The recorded background event; nil for any other step.
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
