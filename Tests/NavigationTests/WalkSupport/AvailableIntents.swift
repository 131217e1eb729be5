import TestSupport
import Values

@testable import Navigation

/// The intents that a view offers, and some that it does not.
struct AvailableIntents {
  let app: AppDefinition
  let state: SessionState
  let view: VisibleScreen

  init(_ app: AppDefinition, _ state: SessionState) throws {
    self.app = app
    self.state = state
    view = try app.view(of: state)
  }

  /// Every intent that the view advertises, each action with one valid input.
  func advertised(_ random: inout Randomness) -> [Intent] {
    var intents: [Intent] = []
    if let prompt = view.prompt {
      for button in prompt.buttons {
        switch button {
        case .answer(let answer, _): intents.append(.action(name: answer.rawValue, input: .emptyObject))
        case .action(let action) where action.disabled == nil: intents.append(use(action, &random))
        case .action: break
        }
      }
    } else {
      for action in view.actions where action.disabled == nil { intents.append(use(action, &random)) }
    }
    for load in view.loads where load.canReload && view.prompt == nil { intents.append(.reload(load.field)) }
    if view.back != nil { intents.append(.back) }
    if view.canDismiss { intents.append(.dismiss) }
    for tab in view.tabBars.flatMap(\.selectable) { intents.append(.tab(tab.name)) }
    return intents
  }

  /// Intents that the view does not advertise, or with an invalid input.
  func unadvertised(_ random: inout Randomness) -> [Intent] {
    var intents: [Intent] = [
      .action(name: "no-such-action", input: .emptyObject), .tab("no-such-tab"), .open(link: "/nowhere"),
    ]
    intents +=
      view.loads.filter { !$0.canReload || view.prompt != nil }.map { .reload($0.field) } + [.reload("nothing")]
    let names = view.prompt == nil ? Set(view.actions.filter { $0.disabled == nil }.map(\.definition.name)) : []
    for action in app.actions where !names.contains(action.name) && view.prompt == nil {
      intents.append(use(action, &random))
    }
    if view.prompt == nil {
      for action in view.actions
      where action.disabled == nil && action.definition.input.fields.contains(where: \.isRequired) {
        intents.append(.action(name: action.definition.name, input: .emptyObject))
      }
    }
    if view.back == nil { intents.append(.back) }
    if !view.canDismiss { intents.append(.dismiss) }
    let open = view.tabBars.flatMap(\.selectable).map(\.name)
    for coordinator in app.coordinators where !open.contains(coordinator.definition.name) {
      intents.append(.tab(coordinator.definition.name))
    }
    return intents
  }

  func use(_ action: ActionDefinition, _ random: inout Randomness) -> Intent {
    .action(
      name: action.name,
      input: .object(action.input.fields.map { ($0.name, Self.value(for: $0, &random)) }))
  }

  func use(_ action: OfferedAction, _ random: inout Randomness) -> Intent {
    let members = action.input.fields.map { field in
      let limit = action.limits.first { $0.field == field.name }
      if case .choices(let choices, _) = limit?.kind { return (field.name, random.pick(choices).value) }
      return (field.name, Self.value(for: field, &random))
    }
    return .action(name: action.definition.name, input: .object(members))
  }

  private static func value(for field: FieldSchema, _ random: inout Randomness) -> Value {
    switch field.kind {
    case let kind as WholeNumberKind:
      let minimum = Int(kind.bounds.minimum ?? -5)
      return Value(minimum + random.below(Int(kind.bounds.maximum ?? 5) - minimum + 1))
    case let kind as NumberKind:
      let minimum = kind.bounds.minimum ?? kind.bounds.exclusiveMinimum ?? 0
      let maximum = kind.bounds.maximum ?? minimum + 100
      return Value(finite: minimum + (maximum - minimum) * Double(1 + random.below(1000)) / 1000) ?? 1
    case let kind as AmountKind:
      let minimum = Int(kind.bounds.minimum ?? 0)
      return Value(minimum + random.below(Int(kind.bounds.maximum ?? 5) - minimum + 1))
    case let kind as SeveralKind:
      let count = kind.count?.lowerBound ?? 0
      return .array(kind.choices.shuffled(using: &random).prefix(count).map(\.value))
    case let kind as BooleanKind where kind.isTrue: return true
    case let kind as PatternKind: return Value(kind.pattern.example)
    case let kind as ChoiceKind: return random.pick(kind.choices).value
    case let kind as DigitsKind: return Value(String((0..<kind.count).map { _ in random.pick(Array("0123456789")) }))
    case let kind as TextKind:
      let minimum = kind.length.minimum ?? 0
      let count = minimum + random.below((kind.length.maximum ?? minimum + 12) - minimum + 1)
      let alphabet = Array("aZ0 /é\"\\日")
      // A blank at an end is dropped, and the text may be too short without it.
      let ends = alphabet.filter { $0 != " " }
      return Value(String((0..<count).map { random.pick($0 == 0 || $0 == count - 1 ? ends : alphabet) }))
    case let kind as any TextualKind:
      for case .format(let format) in kind.limits { return Value(format.example) }
      return .null
    default: return Value(random.once(in: 2))
    }
  }
}

/// A generator of choices: the same seed gives the same walk on every machine.
struct Randomness: RandomNumberGenerator {
  private var generator: Seeded

  init(seed: UInt64) { generator = Seeded(state: seed) }

  mutating func next() -> UInt64 { generator.next() }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// Returns true once in `count` times.
  mutating func once(in count: Int) -> Bool { below(count) == 0 }

  mutating func pick<T>(_ items: [T]) -> T { items[below(items.count)] }
}
