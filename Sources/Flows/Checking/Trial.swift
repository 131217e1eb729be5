internal import Navigation
internal import Values
internal import YAML

/// A check by trial: it begins sessions, and does what people can do there, as long as something new appears.
///
/// A fault of a trial is one of real sessions as well, such as a division by zero, a second prompt, or `dismiss` without a
/// modal.
struct Trial {
  /// The maximum number of steps, each of which evaluates expressions of the author; enough for the actions of a large
  /// flow.
  private static let stepLimit = 1000
  /// The time of every step, a few days before the earliest date of the samples.
  private static let stamp = StepStamp(time: Timestamp(milliseconds: 1_764_072_000_000))
  /// Sessions of people without a token, and of those with one.
  private static let environments = [
    SessionEnvironment(), SessionEnvironment(principal: SessionPrincipal(subject: "ann")),
  ]

  private let app: AppDefinition
  private let model: FlowModel
  private(set) var faults: [FlowFault] = []
  /// The sessions that offer different things, each with what it shows.
  private var sessions: [(state: SessionState, view: VisibleScreen)] = []
  private var known: Set<[String]> = []
  private var reported: Set<String> = []
  private var stepsLeft = Self.stepLimit

  init(_ app: AppDefinition, _ model: FlowModel) {
    (self.app, self.model) = (app, model)
    begin()
    var next = 0
    while next < sessions.count, stepsLeft > 0 {
      let (state, view) = sessions[next]
      next += 1
      tryActions(of: view, state)
      tryWays(from: view, state)
      tryEvents(of: state)
    }
  }

  private mutating func begin() {
    for environment in Self.environments {
      for input in app.input.samples {
        attempt(.create(input, nil, environment), "A new session fails.", at: model.rootCoordinator.mark)
      }
    }
    // A session of an app with a required input cannot begin by a link.
    guard app.input.fields.allSatisfy({ !$0.isRequired }) else { return }
    for link in app.links { tryLink(link) }
  }

  private mutating func tryLink(_ link: LinkDefinition) {
    let mark = model.links.first { $0.pattern.name == link.pattern.text }?.pattern.mark ?? model.mark
    var missing: [String] = []
    for environment in Self.environments {
      for path in link.samples {
        let step = TrialStep.create(.emptyObject, path, environment)
        if case .invalidLink(let step?, .unavailable) = attempt(step, "A session of this link fails.", at: mark) {
          missing.append(step)
        }
      }
    }
    // Other values than the samples may make a step available.
    guard link.input.fields.isEmpty, missing.count == Self.environments.count else { return }
    let message = "A new session cannot follow the step \(missing[0]). Its screen does not offer it."
    warn(mark, message, once: link.pattern.text)
  }

  private mutating func tryActions(of view: VisibleScreen, _ state: SessionState) {
    guard let prompt = view.prompt else {
      for action in view.actions { attempt(action, of: model.screens[view.screen.name], "screen", state) }
      for (_, list) in view.content.lists { tryItems(of: list, view, state) }
      return
    }
    for button in prompt.buttons {
      switch button {
      case .action(let action): attempt(action, of: model.prompts[prompt.name], "prompt", state)
      case .answer(let answer, _):
        let intent = Intent.action(name: answer.rawValue, input: .emptyObject)
        attempt(.perform(intent, state), "The answer \(answer.rawValue) fails.", at: mark(of: view))
      }
    }
  }

  private mutating func attempt(
    _ action: OfferedAction, of owner: (any ActionOwner)?, _ noun: String, _ state: SessionState
  ) {
    guard action.disabled == nil, let owner else { return }
    let name = action.definition.name
    let mark = owner.actions.first { $0.name.name == name }?.name.mark ?? owner.name.mark
    for input in action.input.samples {
      attempt(
        .perform(.action(name: name, input: input), state),
        "The action \(name) fails on the \(noun) \(owner.name.name).", at: mark)
    }
  }

  /// The number of items of a list that are tried.
  private static let itemLimit = 3

  private mutating func tryItems(of list: ItemList, _ view: VisibleScreen, _ state: SessionState) {
    let actions = list.page(from: 0).items.compactMap(\.action).prefix(Self.itemLimit)
    guard let first = actions.first, let action = view.offer(of: first) else { return }
    let (name, mark) = (action.definition.name, mark(of: view))
    var refusals: [Set<String>] = []
    for item in actions where item.isSameAction(as: first) {
      let intent = Intent.action(name: name, input: item.input.value)
      let sentence = "The action \(name) of an item fails on the screen \(view.screen.name)."
      if case .invalidInput(let invalid) = attempt(.perform(intent, state), sentence, at: mark) {
        refusals.append(Set(invalid.failures.map { String($0.pointer.dropFirst()) }))
      }
    }
    guard refusals.count == actions.count, let fields = refusals.first?.sorted() else { return }
    let message =
      "The action \(name) refuses what the items of the screen \(view.screen.name) send as \(fields.listed). "
      + "Give the field the values of the items."
    warn(mark, message, once: message)
  }

  private mutating func tryWays(from view: VisibleScreen, _ state: SessionState) {
    let mark = mark(of: view)
    let screen = "the screen \(view.screen.name)"
    if view.back != nil { attempt(.perform(.back, state), "Back fails on \(screen).", at: mark) }
    if view.canDismiss { attempt(.perform(.dismiss, state), "Dismiss fails on \(screen).", at: mark) }
    for tab in view.tabBars.flatMap(\.selectable) {
      attempt(.perform(.tab(tab.name), state), "The tab \(tab.name) fails on \(screen).", at: mark)
    }
  }

  private mutating func tryEvents(of state: SessionState) {
    for work in state.work {
      guard let node = state.node(work.owner) else { continue }
      let name = app.name(of: node)
      guard let owner = model.coordinators[name] else { continue }
      switch work.content {
      case .timer: attempt(.apply(.due(work.id), state), "A timer of \(name) fails.", at: owner.name.mark)
      case .effect(let effect):
        let effect = app.effects[effect.effect].name
        guard let operation = model.operations.first(where: { $0.effectName == effect }) else { continue }
        let mark = owner.outcomes[operation.name]?.operation.mark ?? owner.name.mark
        for output in model.outputSamples(of: operation) {
          attempt(.apply(.done(work.id, output), state), "The outcome of \(operation.name) fails.", at: mark)
        }
        let failure = BackgroundEvent.failed(work.id, EffectFailure(.givenUp))
        attempt(.apply(failure, state), "The outcome of \(operation.name) fails after a failure.", at: mark)
      case .signal(let awaited):
        let signal = app.signals[awaited.signal]
        let mark = owner.signals[signal.name]?.name.mark ?? owner.name.mark
        for input in signal.input.samples.compactMap({ try? signal.input.check($0) }) {
          let event = BackgroundEvent.signal(work.id, input, SignalDelivery(1))
          attempt(.apply(event, state), "The signal \(signal.name) fails.", at: mark)
        }
      }
    }
  }

  private func mark(of view: VisibleScreen) -> SourceMark {
    model.screens[view.screen.name]?.name.mark ?? model.mark
  }

  /// Makes a step, and keeps the session after it if that shows or offers something new.
  @discardableResult
  private mutating func attempt(_ step: TrialStep, _ sentence: String, at mark: SourceMark) -> Rejection? {
    guard stepsLeft > 0 else { return nil }
    stepsLeft -= 1
    do throws(Rejection) {
      guard let state = try step.run(by: app, at: Self.stamp), !state.isFinished else { return nil }
      let view = try app.view(of: state)
      let isOwned = state.environment.principal != nil
      if known.insert(["\(isOwned)"] + view.offers + state.awaited).inserted { sessions.append((state, view)) }
    } catch {
      switch error {
      case .fault(.codeFailed(_, let description)):
        let cause = FlowError(description: description)
        warn(cause?.mark ?? mark, "\(sentence) \(cause?.message ?? description)", once: description)
      case .fault(let fault): warn(mark, "\(sentence) \(fault)", once: "\(fault)")
      default: break
      }
      return error
    }
    return nil
  }

  private mutating func warn(_ mark: SourceMark, _ message: String, once cause: String) {
    guard reported.insert(cause).inserted else { return }
    faults.append(FlowFault(mark, message, severity: .warning))
  }
}

extension SessionState {
  /// The kinds of events that may come.
  fileprivate var awaited: [String] {
    let kinds = work.map { work in
      switch work.content {
      case .effect(let effect): "effect \(effect.effect)"
      case .timer(let timer): "timer \(timer.event)"
      case .signal(let signal): "signal \(signal.signal)"
      }
    }
    return Set(kinds).sorted()
  }
}

extension VisibleScreen {
  /// The screen, the ways out of it, and the offered actions. Views that agree in these are tried once.
  fileprivate var offers: [String] {
    let buttons = (prompt?.buttons ?? []).map { button in
      switch button {
      case .action(let action): action.definition.name
      case .answer(let answer, _): answer.rawValue
      }
    }
    return ["\(owner.coordinator) \(screen.name) \(modals) \(back != nil) \(canDismiss) \(prompt?.name ?? "")"]
      + actions.map { "\($0.definition.name) \($0.disabled == nil)" } + buttons
      + tabBars.flatMap(\.selectable).map(\.name)
  }
}

/// A step of a trial.
private enum TrialStep {
  case create(Value, String?, SessionEnvironment)
  case perform(Intent, SessionState)
  case apply(BackgroundEvent, SessionState)

  /// Returns the session after the step; nil if the session cannot take the event now.
  func run(by app: AppDefinition, at stamp: StepStamp) throws(Rejection) -> SessionState? {
    switch self {
    case .create(let input, let link, let environment):
      return try app.create(input: input, link: link, environment: environment, stamp: stamp)
    case .perform(let intent, let state): return try app.perform(intent, on: state, stamp: stamp)
    case .apply(let event, let state):
      guard case .applied(let next) = try app.apply(event, to: state, stamp: stamp) else { return nil }
      return next
    }
  }
}
