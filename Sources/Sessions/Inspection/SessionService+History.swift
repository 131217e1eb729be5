internal import Navigation
internal import TimeZones
internal import Values

extension SessionService {
  /// Returns the journal entries after a revision, oldest first, without the values of secret fields.
  public func history(
    _ id: SessionID, by owner: SessionOwner? = nil, after revision: UInt64, limit: Int
  ) async throws(SessionError) -> [JournalEntry] {
    let session = try await load(id, by: owner)
    return session.journal.entries(after: revision, limit: limit, keeping: settings.journalLimit)
      .hidingSecrets(of: app(of: session))
  }

  // MARK: - Reconstruction of past revisions by repeating the journal's steps

  /// The maximum number of steps to repeat for a subscriber.
  private static let stepLimit = 128

  /// Returns the session at each revision after one, up to the latest.
  ///
  /// - Returns: nil if the journal does not reach back that far, or was written by another version of the app.
  func snapshots(after revision: UInt64, to latest: Snapshot) -> [Snapshot]? {
    guard let checkpoint = latest.session.journal.checkpoint(before: revision + 1),
      checkpoint.entries.count <= Self.stepLimit, let states = reconstructedStates(of: latest, from: checkpoint)
    else { return nil }
    var snapshots: [Snapshot] = []
    for state in states where state.revision > revision {
      guard let snapshot = snapshot(latest, at: state) else { return nil }
      snapshots.append(snapshot)
    }
    return snapshots
  }

  /// Returns the state at every revision from a checkpoint to the latest.
  ///
  /// - Returns: nil if the result differs from the latest state, because the app has changed since.
  func reconstructedStates(of latest: Snapshot, from checkpoint: Journal.Checkpoint) -> [SessionState]? {
    let app = latest.navigation.app
    let timeZone = app.sessionTimeZone(latest.session.timeZone)
    var state: SessionState?
    if let packed = checkpoint.state, let first = checkpoint.entries.first {
      let before = first.revision - 1
      let environment = SessionEnvironment(
        locale: latest.session.locale(at: before), timeZone: timeZone,
        time: latest.session.journal.time(of: before) ?? first.at)
      state = try? app.unpack(packed.whole, in: environment)
      if state == nil { return nil }
    }
    var states: [SessionState] = []
    for entry in checkpoint.entries {
      let locale = entry.kind == .create ? latest.session.locale(at: 1) : nil
      guard let next = app.state(after: entry, on: states.last ?? state, locale, timeZone) else { return nil }
      states.append(next)
    }
    guard let last = states.last, app.pack(last) == app.pack(latest.state) else { return nil }
    return states
  }

  /// Returns the session at a past state, or nil if its screen cannot be rendered.
  func snapshot(_ latest: Snapshot, at state: SessionState) -> Snapshot? {
    let navigation = LiveNavigation(app: latest.navigation.app, state: state)
    guard let visible = try? visible(navigation) else { return nil }
    let session = latest.session.asOf(state.revision, .live(navigation))
    return Snapshot(id: latest.id, session: session, navigation: navigation, visible: visible)
  }
}

extension AppDefinition {
  /// Returns the state after a recorded step, or nil if the step is impossible or leads to another screen than
  /// recorded.
  ///
  /// - Parameters:
  ///   - locale: the locale for the creation.
  ///   - timeZone: the time zone for the creation.
  fileprivate func state(
    after entry: JournalEntry, on state: SessionState?, _ locale: String?, _ timeZone: NamedTimeZone?
  ) -> SessionState? {
    guard entry.revision == (state?.revision ?? 0) + 1 else { return nil }
    let next: SessionState?
    if entry.kind == .carry {
      return nil
    } else if entry.kind == .handOver || entry.kind == .stuck {
      next = state?.atNextRevision(entry.at)
    } else if let intent = entry.intent {
      next = state.flatMap { try? perform(intent, on: entry.principal.flatMap($0.acting) ?? $0, stamp: entry.stamp) }
    } else if let event = entry.backgroundEvent {
      guard let state, case .applied(let after)? = try? apply(event, to: state, stamp: entry.stamp) else { return nil }
      next = after
    } else {
      let environment = SessionEnvironment(locale: locale, principal: entry.principal, timeZone: timeZone)
      next = try? create(input: entry.input, link: entry.link, environment: environment, stamp: entry.stamp)
    }
    // The final state alone proves too little: with another version of the app, a detour may end at the same state.
    guard let screen = next?.visibleEntry?.screen, screens[screen].name == entry.screen else { return nil }
    return next
  }
}

extension JournalEntry {
  /// The recorded intent; nil for a step that is not an intent.
  fileprivate var intent: Intent? {
    switch kind {
    case .create, .handOver, .effect, .timer, .signal, .carry, .stuck: nil
    case .action: .action(name: name, input: input)
    case .back: .back
    case .dismiss: .dismiss
    case .tab: .tab(input["tab"]?.text ?? "")
    case .open: .open(link: input["link"]?.text ?? "")
    case .reload: .reload(input["property"]?.text ?? "")
    case .locale: .locale(input["locale"]?.text ?? "")
    }
  }
}
