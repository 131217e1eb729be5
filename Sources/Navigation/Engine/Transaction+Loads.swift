internal import Values

// Loads: the properties of screens that effects fetch.
extension Transaction {
  /// Requests the properties of the visible screen whose data is missing or no longer fresh, and cancels the requests of
  /// screens that have been removed.
  mutating func requestLoads() throws(Interruption) {
    guard app.hasLoads else { return }
    dropLoadsOfRemovedEntries()
    guard !state.isFinished, let entry = state.visibleEntry, case .screen(let index, let value) = entry.content,
      !app.screens[index].loads.isEmpty, let owner = state.node(entry.owner)
    else { return }
    let definition = app.screens[index]
    let screen = try app.draw(definition, index, value, of: owner, in: state).screen
    let appears = earlier.visibleEntry?.id != entry.id
    for load in definition.loads {
      let input = try app.calling(owner.coordinator, "load of screen", definition.crashName.text) {
        try load.request(screen)
      }
      try request(load, with: input, at: entry, appears: appears)
    }
  }

  private mutating func dropLoadsOfRemovedEntries() {
    guard !state.loaded.isEmpty || state.work.contains(where: { $0.effect?.property != nil }) else { return }
    let living = Set(state.entries.map(\.id))
    cancel { work in work.effect?.property.map { !living.contains($0.entry) } ?? false }
    state.loaded.removeAll { !living.contains($0.property.entry) }
  }

  /// Requests one property, unless its data is there and fresh, or under way.
  ///
  /// - Parameter input: the encoded effect; nil if there is nothing to fetch yet.
  private mutating func request(
    _ load: LoadDefinition, with input: Value?, at entry: Entry, appears: Bool
  ) throws(Interruption) {
    let property = ScreenProperty(entry: entry.id, name: load.field)
    if let pending = state.work.first(where: { $0.effect?.property == property })?.effect {
      if pending.input == input { return }
      cancel { $0.effect?.property == property }
    }
    if let known = state.loaded.first(where: { $0.property == property }) {
      if known.input == input {
        let isDue = reloadedProperty == load.field || appears && !known.isFresh(load.freshness, at: now)
        guard isDue else { return }
      } else {
        // The data is that of another effect.
        state.loaded.removeAll { $0.property == property }
        try set(property, to: .null)
      }
    }
    guard let input, let effect = app.effectIndex[load.effect] else { return }
    makeRoomForLoad()
    let pending = PendingEffect(
      effect: effect, input: input, key: nil, seed: state.environment.stamp.seed, compensation: nil, property: property)
    try add(.effect(pending), of: entry.owner)
  }

  private var now: Timestamp { state.environment.stamp.time }

  /// Cancels the oldest request of a hidden screen, if the session has as many effects as it may: a backend that does not
  /// respond must not keep the user from going on. The screen requests its data again when it becomes visible.
  private mutating func makeRoomForLoad() {
    guard state.work.count(where: { $0.effect != nil }) >= PendingWork.limit else { return }
    let visible = state.visibleEntry?.id
    let oldest = state.work.first { $0.effect?.property.map { $0.entry != visible } ?? false }
    if let oldest { cancel { $0.id == oldest.id } }
  }

  /// Gives the outcome of an effect to the property that waits for it.
  mutating func receive(_ event: BackgroundEvent, of pending: PendingEffect) throws(Interruption) {
    guard let property = pending.property else { return }
    let known = state.loaded.firstIndex { $0.property == property }
    var loaded: LoadedProperty
    switch event {
    case .done(_, let output):
      try set(property, to: output)
      loaded = LoadedProperty(property: property, input: pending.input, arrivedAt: now, hasFailed: false)
    case .failed, .dropped:
      let arrivedAt = known.flatMap { state.loaded[$0].arrivedAt }
      loaded = LoadedProperty(property: property, input: pending.input, arrivedAt: arrivedAt, hasFailed: true)
    case .due, .signal: throw .fault(.mismatchedEvent)
    }
    if let known { state.loaded[known] = loaded } else { state.loaded.append(loaded) }
  }

  /// Sets a property in the encoding of its screen.
  private mutating func set(_ property: ScreenProperty, to value: Value) throws(Interruption) {
    guard let place = state.place(of: property.entry), let stack = state.stackIndex(place.stack),
      let index = state.stacks[stack].entries.firstIndex(where: { $0.id == property.entry }),
      case .screen(let screen, let values) = state.stacks[stack].entries[index].content
    else { return }
    guard values.encoding[property.name] != nil else {
      throw .fault(.loadOfUnknownProperty(property.name, screen: app.screens[screen].name))
    }
    let make = {
      let members = values.encoding.members.map { ($0.key, $0.key == property.name ? value : $0.value) }
      return AppValue(encoding: .object(members))
    }
    // A screen with other properties may show what its user has entered, which no other session may keep.
    let isAlone = values.encoding.count == 1
    let load = isAlone ? app.screens[screen].loads.first { $0.field == property.name } : nil
    let isPublic = load.flatMap { app.effectIndex[$0.effect] }.map { app.effects[$0].maximumAge != nil } ?? false
    let filled = isPublic ? load?.shared.screen(with: value, make) : nil
    state.stacks[stack].entries[index].content = .screen(screen, filled ?? make())
  }

  /// Carries out the intent to fetch a property again that could not be fetched.
  mutating func reload(_ name: String) throws(Interruption) {
    try refuseWhilePromptIsOpen()
    guard let entry = state.visibleEntry else { return }
    let property = ScreenProperty(entry: entry.id, name: name)
    let hasFailed = state.loaded.contains { $0.hasFailed && $0.property == property }
    guard hasFailed, !state.isLoading(property) else { throw .unavailable(.nothingToReload(name)) }
    reloadedProperty = name
  }
}

extension LoadedProperty {
  /// Whether the data need not be fetched again.
  fileprivate func isFresh(_ freshness: Duration, at time: Timestamp) -> Bool {
    guard !hasFailed, let arrivedAt else { return false }
    return time < arrivedAt + freshness
  }
}

extension SessionState {
  /// Returns whether an effect that fetches a property is under way.
  func isLoading(_ property: ScreenProperty) -> Bool { work.contains { $0.effect?.property == property } }
}
