package import Values

// Deep links: the target is built whole from the bottom of the root stack, or the link is rejected with the failing
// step.
extension Transaction {
  /// Opens a link, or goes on with it at one of its steps.
  mutating func open(_ link: String, from first: Int = 0) throws(Interruption) {
    let steps = try app.steps(of: link)
    if first == 0 { try returnToRoot() }
    let beforeSteps = self
    do throws(Interruption) {
      for index in steps.indices.dropFirst(first) {
        let (nextID, pending) = (state.nextID, state.pending)
        let goesOn = try waiting(for: .link(link, from: index)) { step throws(Interruption) in
          try step.follow(steps[index])
        }
        guard goesOn else { return }
        let isLast = index + 1 == steps.count
        let rest = PendingIntent.Content.link(link, from: index + 1)
        if let first = state.pending, first != pending {
          // The steps of the action wait, and come before the rest of the link.
          if isLast { return }
          state.pending = nil
          var last = first
          (last.content, last.awaited, last.origin) = (rest, .intent, nil)
          keep(last)
          return keep(first)
        }
        if steps[index].action == nil, let locked = lockOfVisibleTab {
          // A tab that starts behind its guard is selected again, which shows it wherever the person is by then.
          return wait(for: .link(link, from: index), behind: locked)
        }
        guard let locked = lockOfVisibleTab ?? lockedStart(since: nextID) else { continue }
        if !isLast { wait(for: rest, behind: locked) }
        return
      }
    } catch .rejected(let rejection) {
      revert(to: beforeSteps)
      guard let locked = lockOfVisibleTab ?? lockedStart(filling: state.root) else { throw .rejected(rejection) }
      wait(for: .link(link, from: first), behind: locked)
    }
  }

  /// Closes the prompt and every modal, and pops the root stack to its first entry. Screens that parents show because
  /// children end are removed as well.
  mutating func returnToRoot() throws(Interruption) {
    // A parent may start its child again whenever that ends.
    for _ in 0..<2 where !state.isFinished {
      state.prompt = nil
      try dismissAll()
      try returnToRoot(of: state.root.id, by: nil)
      try settle()
      try resolveLockedStarts()
    }
  }

  private mutating func follow(_ step: Step) throws(Interruption) {
    do throws(Interruption) {
      let intent = try intent(of: step, "input of a link's action")
      if case .tab(let name) = intent { try selectTab(name, reselects: true) } else { try carryOut(intent) }
      try settle()
      // Before the next step, which would reveal the part behind a guard.
      try applyGuards()
    } catch .rejected(let rejection) {
      throw .rejected(rejection.failing(step: step))
    }
  }

  /// Carries out steps for a coordinator: a tab is one of its bar, and an action is one of the visible screen. The steps
  /// after a coordinator whose start a guard stops wait for that start.
  mutating func follow(_ steps: [Intent], by actor: NodeID) throws(Interruption) {
    // A new tab bar is complete without what its guards protect, and the steps show more.
    if !unguardedTabBars.isEmpty {
      try settle()
      try applyGuards()
    }
    // The commands before have started a coordinator whose guard stops it.
    if let locked = lockedStart(since: firstNewID) { return wait(for: .steps(steps, by: actor), behind: locked) }
    let lockBefore = lockOfVisibleTab
    if case .action? = steps.first, let locked = lockBefore, hasShown(locked) {
      return wait(for: .steps(steps, by: actor), behind: locked)
    }
    for (index, step) in steps.enumerated() {
      let nextID = state.nextID
      let goesOn = try waiting(for: .steps(Array(steps.dropFirst(index)), by: actor)) { attempt throws(Interruption) in
        try attempt.follow(step, by: actor)
      }
      let rest = Array(steps.dropFirst(index + 1))
      guard goesOn, !rest.isEmpty else { return }
      if let locked = lockedStart(since: nextID) { return wait(for: .steps(rest, by: actor), behind: locked) }
      guard let locked = lockOfVisibleTab else { continue }
      // Actions may be those of the reaction that a locked tab has shown before.
      if case .action = step, locked == lockBefore { continue }
      // A guard of the tab's own coordinator has shown its reaction there, as has one that this step has made. Another one
      // shows it where the person is. An event that meets a guard changes nothing, except for the intent that it lets go
      // on, which waits again.
      guard locked.guardian == locked.coordinator || isNew(.node(locked.guardian)),
        !isBackground || passedGate != nil || isNew(.node(locked.coordinator))
      else {
        throw .guarded(by: locked.blocker)
      }
      return wait(for: .steps(rest, by: actor), behind: locked)
    }
  }

  /// Returns whether this step has made a locked tab, or has shown it.
  private func hasShown(_ locked: LockedStart) -> Bool {
    isNew(.node(locked.coordinator))
      || state.node(locked.coordinator).map { !presentationBefore.visibleStacks.contains($0.hostStack) } ?? false
  }

  private mutating func follow(_ step: Intent, by actor: NodeID) throws(Interruption) {
    switch step {
    case .action(let name, _):
      if isBackground, state.hasPrompt { throw .promptIsOpen }
      try refuseWhilePromptIsOpen()
      do throws(Interruption) {
        try carryOut(step)
      } catch .rejected(let rejection) {
        throw .rejected(rejection.failing(followedAction: name))
      }
    case .tab(let name): try selectTab(named: name, reselect: true, by: actor)
    default: break
    }
    try settle()
    // Before the next step, which would reveal the part behind a guard.
    try applyGuards()
  }

  /// Carries out a step of a link or of a handler. Where it meets a guard of a tab that the intent itself has made, the
  /// rest waits behind that guard: the intent cannot wait before it. A followed action that the reaction in a locked tab
  /// does not take waits for the tab. Returns false in both cases.
  private mutating func waiting(
    for rest: PendingIntent.Content, _ step: (inout Transaction) throws(Interruption) -> Void
  ) throws(Interruption) -> Bool {
    let before = self
    do throws(Interruption) {
      try step(&self)
      return true
    } catch .guarded(let blocker)
      where blocker.guardian.rawValue >= firstNewID || hidesOrigin(blocker.guardian, before, rest)
    {
      // A coordinator of the step itself is not there before it, or waits for its start.
      guard before.state.node(blocker.guardian) != nil, !before.state.isLocked(blocker.guardian) else {
        throw .guarded(by: blocker)
      }
      revert(to: before)
      let awaited = try reactVisibly(to: blocker)
      let origin = before.state.visibleEntry?.id
      keep(PendingIntent(content: rest, blocker: blocker, awaited: awaited, consents: consents, origin: origin))
      return false
    } catch .rejected(let rejection) {
      guard case .steps(let steps, _) = rest, case .action? = steps.first, let locked = before.lockOfVisibleTab else {
        throw .rejected(rejection)
      }
      revert(to: before)
      wait(for: rest, behind: locked)
      return false
    }
  }

  /// Returns whether the reaction of a guard would remove the screen of the intent, to which no step leads back: the
  /// reaction is in a tab under a modal, which the steps of the intent have removed already.
  private func hidesOrigin(_ guardian: NodeID, _ step: Transaction, _ rest: PendingIntent.Content) -> Bool {
    guard case .steps = rest, !isCreation, let host = state.node(guardian)?.hostStack,
      let origin = presentationBefore.visibleEntry?.id
    else { return false }
    return step.state.position(of: origin) == nil && !presentationBefore.visibleStacks.contains(host)
  }

  /// Returns the steps as intents, with the inputs that they have now.
  func intents(of steps: [Step]) throws(Interruption) -> [Intent] {
    try steps.map { step throws(Interruption) in try intent(of: step, "input of a followed action") }
  }

  private func intent(of step: Step, _ location: StaticString) throws(Interruption) -> Intent {
    guard let action = step.action else { return .tab(step.name) }
    return .action(name: step.name, input: try app.calling(nil, location) { try action.input() })
  }
}

extension Rejection {
  /// Returns the rejection of a followed action: the user did not choose it, and sees none of its fields.
  fileprivate func failing(followedAction name: String) -> Rejection {
    switch self {
    case .refused(let failures):
      .refused(failures.map { InvalidInput.Failure(pointer: "", title: nil, fault: $0.fault) })
    case .invalidInput(let input):
      .fault(
        .stepFails(name, reason: "its input is not valid: \(input.failures.map(\.pointer).joined(separator: ", "))"))
    case .unknownAction: .fault(.stepFails(name, reason: "no screen has it"))
    case .unavailable(.actionNotOnScreen(_, let screen)):
      .fault(.stepFails(name, reason: "the visible screen is \(screen)"))
    default: self
    }
  }

  fileprivate func failing(step: Step) -> Rejection {
    switch self {
    case .unavailable(let reason): .invalidLink(step: step.location, .unavailable(reason))
    case .refused(let failures): .invalidLink(step: step.location, .invalidInput(failures))
    case .unknownAction, .unknownTab: .invalidLink(step: step.location, .unknownName)
    case .invalidInput(let input): .invalidLink(step: step.location, .invalidInput(input.failures))
    default: self
    }
  }
}

extension AppDefinition {
  /// Returns the steps of the first link whose pattern matches.
  func steps(of text: String) throws(Interruption) -> [Step] {
    let found: (link: LinkDefinition, fields: Value)
    do throws(Rejection) {
      found = try target(of: text)
    } catch {
      throw .rejected(error)
    }
    let link = found.link
    let name = CrashName(link.pattern.text)
    let steps = try calling(nil, "link", name.text) { () -> [Step]? in
      do { return try link.steps(found.fields) } catch is UnusableLink { return nil }
    }
    extendLifetime(name)
    guard let steps else { throw .rejected(.invalidLink(step: link.pattern.text, .unusableValues)) }
    return steps
  }

  /// Returns the first link whose pattern matches, and its validated fields.
  @discardableResult
  package func target(of text: String) throws(Rejection) -> (link: LinkDefinition, fields: Value) {
    guard let location = LinkLocation(text) else { throw .invalidLink(step: nil, .notAPath) }
    for link in links {
      guard let fields = link.pattern.match(location.path) else { continue }
      let texts = location.query.merging(fields.mapValues { [$0] }) { _, path in path }
      let input = Value.object(
        link.input.fields.compactMap { field in texts[field.name].map { (field.name, field.value(fromLink: $0)) } })
      do throws(InvalidInput) {
        return (link, try link.input.check(input))
      } catch {
        throw .invalidLink(step: link.pattern.text, .invalidInput(error.failures))
      }
    }
    throw .invalidLink(step: nil, .noMatch)
  }

  /// Returns the first link whose pattern matches a path; nil without one.
  package func link(at path: String) -> LinkDefinition? {
    LinkLocation(path).flatMap { location in links.first { $0.pattern.match(location.path) != nil } }
  }
}

extension InputSchema {
  /// Returns the values of an address, by the names of the fields, as far as they are valid.
  ///
  /// A secret has none: an address is not secret.
  ///
  /// - Parameter query: the texts of each name, in their order.
  package func values(ofQuery query: [String: [String]]) -> Value {
    var steps = Pattern.stepLimit
    return .object(
      fields.compactMap { field in
        guard !field.isSecret, let texts = query[field.name] else { return nil }
        let value = field.kind.cleaned(field.value(fromLink: texts))
        guard field.kind.faults(of: value, stepsLeft: &steps).isEmpty else { return nil }
        return (field.name, field.kind.stored(value))
      })
  }
}

extension FieldSchema {
  /// Returns the value of the texts that a link has under the name of the field. Several are a list, which only a field
  /// of a list takes.
  fileprivate func value(fromLink texts: [String]) -> Value {
    texts.count == 1 ? kind.value(from: texts[0]) : .array(texts.map { Value($0) })
  }
}

/// The parts of a deep link: the segments of its path and the parameters of its query, percent-decoded (RFC 3986).
struct LinkLocation {
  private(set) var path: [String] = []
  /// The values of each name, in their order.
  private(set) var query: [String: [String]] = [:]

  /// Returns nil for a text that does not begin with `/` or has invalid percent-encoding.
  init?(_ text: String) {
    guard text.utf8.first == UInt8(ascii: "/") else { return nil }
    // By bytes: a combining character after a separator would hide it in a `Character`.
    let withoutFragment = text.utf8.prefix { $0 != UInt8(ascii: "#") }
    let parts = withoutFragment.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    for segment in parts[0].split(separator: UInt8(ascii: "/")) {
      guard let decoded = percentDecoded(Substring(segment)) else { return nil }
      path.append(decoded)
    }
    for pair in parts.dropFirst().first?.split(separator: UInt8(ascii: "&")) ?? [] {
      let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(Substring(sides[0])),
        let value = percentDecoded(sides.count > 1 ? Substring(sides[1]) : "")
      else { return nil }
      query[name, default: []].append(value)
    }
  }
}
