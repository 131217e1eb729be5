internal import Values

// Loads: the properties of screens that effects load.
extension Transaction {
  /// Requests the properties of the visible screen whose data is missing or no longer fresh, and cancels the loads of
  /// screens that have been removed.
  mutating func requestLoads() throws(Interruption) {
    dropObsoleteLoads()
    guard app.hasLoads, !state.isFinished, let visible = state.visibleEntry, let index = visible.screen else { return }
    let appears = presentationBefore.visibleEntry?.id != visible.id
    for load in app.screens[index].loads {
      // Drawn for each load, because one may depend on the data of another, which an earlier turn may have removed.
      guard let entry = state.entry(visible.id), let screen = try app.draw(entry, in: state) else { return }
      try request(load, of: screen, with: try app.input(of: load, for: screen), at: entry.id, appears: appears)
    }
  }

  /// Cancels the loads, and forgets the data, of screens that have been removed and of properties that this version of
  /// the app does not load.
  private mutating func dropObsoleteLoads() {
    guard state.hasExtras else { return }
    let obsolete = state.work.filter { work in
      guard let effect = work.effect, let property = effect.property else { return false }
      return !app.loads(property, with: effect.effect, in: state)
    }.map(\.id)
    if !obsolete.isEmpty { cancel { obsolete.contains($0.id) } }
    let kept = state.loaded.filter { app.load(of: $0.property, in: state) != nil }
    if kept.count < state.loaded.count { state.loaded = kept }
  }

  /// Requests one property, unless its data is there and fresh, or pending.
  ///
  /// - Parameter input: the encoded effect; nil if there is nothing to load yet.
  private mutating func request(
    _ load: LoadDefinition, of screen: DrawnScreen, with input: Value?, at entry: EntryID, appears: Bool
  ) throws(Interruption) {
    let property = ScreenProperty(entry: entry, name: load.field)
    if let pending = state.work.first(where: { $0.effect?.property == property })?.effect {
      if pending.input == input { return }
      cancel { $0.effect?.property == property }
    }
    if let index = state.loaded.firstIndex(where: { $0.property == property }) {
      let known = state.loaded[index]
      if property == deliveredProperty {
        // Otherwise an effect that depends on its own property, or on a clock, would run again and again.
        state.loaded[index].input = input ?? .null
        return
      }
      if known.input == input ?? .null {
        let isDue = reloadedProperty == load.field || appears && !known.isFresh(load.freshness, at: now)
        guard isDue else { return }
      } else {
        // The data is that of another effect.
        state.loaded.remove(at: index)
        try set(property, to: .null)
      }
    }
    guard let input, let effect = app.effectIndex[load.effect.name] else { return }
    try checkEncoding(of: load, of: screen)
    makeRoomForEffect()
    guard hasRoomForEffect else { return noteFailure(of: property, input) }
    let pending = PendingEffect(
      effect: effect, input: input, key: nil, seed: state.environment.stamp.seed, compensation: nil, property: property)
    try add(.effect(pending), of: screen.owner.id)
  }

  private var now: Timestamp { state.environment.stamp.time }

  /// Requires that the screen encodes the property under its name: otherwise the data would never reach it.
  private func checkEncoding(of load: LoadDefinition, of screen: DrawnScreen) throws(Interruption) {
    guard let encoded = load.encoded else { return }
    guard try app.calling("screen", screen, encoded)[load.field] != nil else {
      throw .fault(.loadOfUnknownProperty(load.field, screen: screen.definition.name))
    }
  }

  private var hasRoomForEffect: Bool { state.work.count { $0.effect != nil } < PendingWork.limit }

  /// Cancels the oldest load of a hidden screen, if the session has as many effects as it may: a backend that does not
  /// respond must not keep the user from going on. The screen requests its data again when it becomes visible.
  mutating func makeRoomForEffect() {
    guard !hasRoomForEffect else { return }
    let visible = state.visibleEntry?.id
    let oldest = state.work.first { $0.effect?.property.map { $0.entry != visible } ?? false }
    if let oldest { cancel { $0.id == oldest.id } }
  }

  /// Gives the outcome of an effect to the property that waits for it.
  mutating func receive(_ event: BackgroundEvent, of pending: PendingEffect) throws(Interruption) {
    // Another version of the app may have requested the effect.
    guard let property = pending.property, app.loads(property, with: pending.effect, in: state) else { return }
    deliveredProperty = property
    switch event {
    case .done(_, let output):
      try set(property, to: output)
      note(LoadedProperty(property: property, input: pending.input, arrivedAt: now, hasFailed: false))
    case .failed, .dropped: noteFailure(of: property, pending.input)
    case .due, .signal: throw .fault(.mismatchedEvent)
    }
  }

  private mutating func noteFailure(of property: ScreenProperty, _ input: Value) {
    let arrivedAt = state.loaded.first { $0.property == property }?.arrivedAt
    note(LoadedProperty(property: property, input: input, arrivedAt: arrivedAt, hasFailed: true))
  }

  private mutating func note(_ loaded: LoadedProperty) {
    if let index = state.loaded.firstIndex(where: { $0.property == loaded.property }) {
      state.loaded[index] = loaded
    } else {
      state.loaded.append(loaded)
    }
  }

  /// Sets a property in the encoding of its screen. An earlier version of the screen may lack it.
  private mutating func set(_ property: ScreenProperty, to value: Value) throws(Interruption) {
    guard let position = state.position(of: property.entry), let stack = state.stackIndex(position.stack),
      let index = state.stacks[stack].entries.firstIndex(where: { $0.id == property.entry }),
      case .screen(let screen, let values) = state.stacks[stack].entries[index].content
    else { return }
    // The screen is a level around the value.
    guard value.depth < Value.maximumDepth else {
      throw .fault(.cannotBeStored(name: property.name, error: ValueError(.tooDeep).sentence))
    }
    let members = values.encoding.members
    let hasOthers = members.contains { $0.key != property.name }
    let make = {
      var filled = members.map { ($0.key, $0.key == property.name ? value : $0.value) }
      if !members.contains(where: { $0.key == property.name }) { filled.append((property.name, value)) }
      return AppValue(encoding: .object(filled))
    }
    // A screen with other properties may show what its user has entered, which no other session may keep.
    let load = hasOthers ? nil : app.load(of: property, in: state)
    let isPublic = load.flatMap { app.effectIndex[$0.effect.name] }.map { app.effects[$0].maximumAge != nil } ?? false
    let filled = isPublic ? load?.shared.screen(with: value, make) : nil
    state.stacks[stack].entries[index].content = .screen(screen, filled ?? make())
  }

  /// Carries out the intent to load a property again that could not be loaded.
  mutating func reload(_ name: String) throws(Interruption) {
    try refuseWhilePromptIsOpen()
    guard let entry = state.visibleEntry, let index = entry.screen, !app.screens[index].loads.isEmpty,
      let screen = try app.draw(entry, in: state),
      let load = try app.visibleLoads(of: screen, at: entry.id, in: state).first(where: { $0.field == name }),
      load.problem != nil
    else { throw .unavailable(.nothingToReload(name)) }
    reloadedProperty = name
  }
}

extension AppDefinition {
  /// Returns the load of a property; nil if its entry or its declaration is gone.
  func load(of property: ScreenProperty, in state: SessionState) -> LoadDefinition? {
    guard let screen = state.entry(property.entry)?.screen else { return nil }
    return screens[screen].loads.first { $0.field == property.name }
  }

  /// Returns whether the effect of this index loads the property.
  fileprivate func loads(_ property: ScreenProperty, with effect: Int, in state: SessionState) -> Bool {
    load(of: property, in: state).map { effectIndex[$0.effect.name] == effect } ?? false
  }

  /// Returns the encoded effect that loads a property of a screen; nil if there is nothing to load yet.
  func input(of load: LoadDefinition, for screen: DrawnScreen) throws(Interruption) -> Value? {
    try calling("load of screen", screen, load.request)
  }

  /// Returns the properties of a screen that are pending or could not be loaded.
  func visibleLoads(
    of screen: DrawnScreen, at entry: EntryID, in state: SessionState
  ) throws(Interruption) -> [VisibleLoad] {
    var visible: [VisibleLoad] = []
    for load in screen.definition.loads {
      let property = ScreenProperty(entry: entry, name: load.field)
      if state.work.contains(where: { $0.effect?.property == property }) {
        visible.append(VisibleLoad(field: load.field, problem: nil, canReload: false))
        continue
      }
      let known = state.loaded.first { $0.property == property }
      // An earlier version of the screen has not loaded the property, and no step has requested it since.
      let isMissing = known == nil ? try input(of: load, for: screen) != nil : false
      guard isMissing || known?.hasFailed == true else { continue }
      let canReload = !state.hasPrompt && !state.isFinished
      let problem = load.problem.written(in: serviceLanguage(for: state.environment.locale))
      visible.append(VisibleLoad(field: load.field, problem: problem, canReload: canReload))
    }
    return visible
  }
}

extension LoadedProperty {
  /// Whether the data need not be loaded again.
  fileprivate func isFresh(_ freshness: Duration, at time: Timestamp) -> Bool {
    guard !hasFailed, let arrivedAt else { return false }
    return time < arrivedAt + freshness
  }
}
