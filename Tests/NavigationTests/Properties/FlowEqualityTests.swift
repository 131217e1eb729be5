import ExampleApps
import Flows
import Foundation
import HTTPAPI
import Sessions
import TestApps
import TestSupport
import Testing
import Values

@testable import Navigation

/// The example apps as flow files and in Swift: every response has the same bytes along random walks.
@Suite struct FlowEqualityTests {
  /// The number of walks through each app; `FLOW_WALKS` sets another one.
  private static let walks = ProcessInfo.processInfo.environment["FLOW_WALKS"].flatMap { Int($0) } ?? 100
  private static let steps = 30
  private static let links = ["/accounts/a1", "/accounts/a9", "/inbox/m2", "/transfer", "/nowhere"]

  @Test(arguments: ["bank", "pages", "shop", "tabs"])
  func `a flow file answers byte for byte like the app in Swift`(name: String) throws {
    let swift = try AppDefinition(#require(ExampleApps.all.first { $0.name == name }))
    let flow = try Self.flow(name)
    #expect(swift.version == flow.version && swift.summary == flow.summary && swift.title == flow.title)
    for walk in 0..<Self.walks {
      var random = Randomness(seed: RandomWalks.seed &+ UInt64(walk))
      var pair = try Pair(swift, flow, link: name == "bank" && walk.isMultiple(of: 5) ? random.pick(Self.links) : nil)
      var intents: [Intent] = []
      for _ in 0..<Self.steps {
        guard let intent = try pair.intent(&random, links: Self.links) else { break }
        intents.append(intent)
        let (expected, found) = try pair.perform(intent)
        guard expected != found else { continue }
        let list = intents.map { "  \($0)" }.joined(separator: "\n")
        Issue.record("WALK_SEED=\(RandomWalks.seed), after:\n\(list)\nSwift: \(expected)\nflow:  \(found)")
        return
      }
    }
  }

  @Test func `a journey in a flow file answers byte for byte like the one in Swift`() throws {
    try walk(
      AppDefinition(Outbreak.app), Self.flow(at: "Tests/Flows/cases/outbreak", ["flow.yaml", "texts/en.yaml"]),
      JourneyInputs(list: "people", ["name", "started", "vaccinated"]))
  }

  @Test func `sections, pages that ask a backend or nothing, and their actions are the same in both`() throws {
    try walk(
      AppDefinition(Permit.app), Self.flow(at: "Tests/Flows/cases/permit", ["flow.yaml"]),
      JourneyInputs(list: "residents", ["first"]))
  }

  /// Compares two journeys along random walks, which lead to every screen.
  private func walk(_ swift: AppDefinition, _ flow: AppDefinition, _ inputs: JourneyInputs) throws {
    var screens: Set<String> = []
    for walk in 0..<Self.walks {
      var random = Randomness(seed: RandomWalks.seed &+ UInt64(walk))
      var pair = try Pair(swift, flow, link: nil)
      var steps: [String] = []
      for _ in 0..<Self.journeySteps {
        let screen = try pair.visibleScreen()
        screens.insert(screen.screen.name)
        if screen.screen.name == "sent" { break }
        let intent = pair.isWaiting && !random.once(in: 5) ? nil : inputs.intent(on: screen, swift, &random)
        steps.append(intent.map { "\($0)" } ?? "the outcome of the effect")
        let status = random.pick([nil, nil, nil, 404, 503])
        let (expected, found) = try intent.map { try pair.perform($0) } ?? pair.end(failingWith: status)
        guard expected != found else { continue }
        let list = steps.map { "  \($0)" }.joined(separator: "\n")
        Issue.record("WALK_SEED=\(RandomWalks.seed), after:\n\(list)\nSwift: \(expected)\nflow:  \(found)")
        return
      }
    }
    #expect(screens == Set(swift.screens.map(\.name)))
  }

  private static let journeySteps = 100

  private static func flow(_ name: String) throws -> AppDefinition {
    try flow(at: "Examples/Flows/\(name)", ["flow.yaml"])
  }

  private static func flow(at path: String, _ files: [String]) throws -> AppDefinition {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: path)
    let compilation = Flow.compile(
      try files.map { Flow.File(path: $0, bytes: [UInt8](try Data(contentsOf: folder.appending(path: $0)))) })
    return try #require(compilation.app, "\(compilation.faults)")
  }
}

/// Answers to the questions of a journey, most of them valid.
private struct JourneyInputs {
  /// The name of the list.
  private let list: String
  /// The names of the questions of its items.
  private let items: Set<String>

  init(list: String, _ items: Set<String>) { (self.list, self.items) = (list, items) }

  /// Returns an intent for a page: one that leads on, now and then Back, answers in one request, or one that is refused.
  func intent(on screen: VisibleScreen, _ app: AppDefinition, _ random: inout Randomness) -> Intent {
    let names = screen.actions.map(\.definition.name)
    if random.once(in: names.isEmpty ? 2 : 8) { return .back }
    if random.once(in: 6) || names.isEmpty { return .action(name: "answers", input: answers(of: app, &random)) }
    if random.once(in: 20) { return .action(name: "remove", input: ["item": Value(random.below(3))]) }
    // The actions that lead on are picked more often.
    let name = random.pick(names + names.filter { ["add", "continue", "submit"].contains($0) })
    guard let action = screen.actions.first(where: { $0.definition.name == name }) else { return .back }
    return .action(name: name, input: .object(members(of: action.input.fields, &random)))
  }

  private func answers(of app: AppDefinition, _ random: inout Randomness) -> Value {
    let fields = app.actions.filter { $0.name == "continue" }.flatMap(\.input.fields)
    let asked = fields.filter { !items.contains($0.name) && !random.once(in: 2) }
    var members = self.members(of: asked, &random)
    if random.once(in: 2) {
      let given = (0..<random.below(3)).map { _ in
        Value.object(self.members(of: fields.filter { items.contains($0.name) }, &random))
      }
      members.append((list, .array(given)))
    }
    if random.once(in: 20) { members.append(("unknown", 1)) }
    return .object(members)
  }

  private func members(of fields: [FieldSchema], _ random: inout Randomness) -> [(String, Value)] {
    fields.compactMap { field -> (String, Value)? in
      if random.once(in: 12) { return nil }
      if random.once(in: 30) { return (field.name, .null) }
      return (field.name, value(for: field, &random))
    }
  }

  private func value(for field: FieldSchema, _ random: inout Randomness) -> Value {
    if field.name == "started" { return random.pick(["1970-01-01", "1969-12-02", "1969-12-31", "1969-12-01", "soon"]) }
    switch field.kind {
    case let kind as ChoiceKind: return random.pick(kind.choices.map(\.value) + ["hotel"])
    case let kind as SeveralKind:
      return .array(kind.choices.shuffled(using: &random).prefix(random.below(kind.choices.count + 1)).map(\.value))
    case is WholeNumberKind: return Value(random.below(3))
    case is BooleanKind: return Value(random.once(in: 2))
    default: return random.pick(["Ann", " Ben Roy ", "", "x", Value(String(repeating: "x", count: 81))])
    }
  }
}

/// A session of an app in Swift, and one of its flow file.
private struct Pair {
  private static let id = SessionID.random()
  private let apps: [AppDefinition]
  private var states: [SessionState]

  init(_ swift: AppDefinition, _ flow: AppDefinition, link: String?) throws {
    apps = [swift, flow]
    states = []
    for app in apps {
      // A link that leads nowhere is refused by both, and the session begins without it.
      let state = try? app.create(link: link, stamp: StepStamp())
      states.append(try state ?? app.create(stamp: StepStamp()))
    }
  }

  /// An intent that the view offers, or now and then one that it does not.
  func intent(_ random: inout Randomness, links: [String]) throws -> Intent? {
    let available = try AvailableIntents(apps[0], states[0])
    if random.once(in: 20) { return .open(link: random.pick(links)) }
    let intents = random.once(in: 6) ? available.unadvertised(&random) : available.advertised(&random)
    return intents.isEmpty ? nil : random.pick(intents)
  }

  // MARK: Journeys

  func visibleScreen() throws -> VisibleScreen { try apps[0].view(of: states[0]) }

  /// Whether the sessions wait for the outcome of an effect.
  var isWaiting: Bool { states[0].work.contains { $0.effect != nil } }

  /// The outputs of effects by their names; an empty one for others.
  private static let outputs: [String: Value] = [
    "authority-report": ["reference": "R-1"], "registry-find": ["owner": "Ann Lee", "zone": "7"],
    "registry-redeem": ["discount": "Half the price"],
  ]

  /// Ends the effect of both sessions, and returns its input and key, with the responses after it.
  ///
  /// - Parameter status: that of the failure; nil for the output of the effect.
  mutating func end(failingWith status: Int?) throws -> (swift: String, flow: String) {
    var responses: [String] = []
    for (place, app) in apps.enumerated() {
      let work = try #require(states[place].work.first { $0.effect != nil })
      let input = try #require(work.effect?.input)
      let output = Self.outputs[app.name(of: work)] ?? .emptyObject
      let event: BackgroundEvent =
        status.map { .failed(work.id, EffectFailure(.status, status: $0)) } ?? .done(work.id, output)
      guard case .applied(let next) = try app.apply(event, to: states[place], stamp: StepStamp()) else {
        responses.append("\(event) was not applied")
        continue
      }
      states[place] = next
      responses.append(
        "\(input["answers"] ?? input["with"] ?? input) \(work.effect?.key?.description ?? "") \(try response(app, next))"
      )
    }
    return (responses[0], responses[1])
  }

  /// Performs the intent in both sessions, and returns the responses.
  mutating func perform(_ intent: Intent) throws -> (swift: String, flow: String) {
    var responses: [String] = []
    for (place, app) in apps.enumerated() {
      do throws(Rejection) {
        states[place] = try app.perform(intent, on: states[place], stamp: StepStamp())
        responses.append(try response(app, states[place]))
      } catch {
        responses.append("\(error)")
      }
    }
    return (responses[0], responses[1])
  }

  private func response(_ app: AppDefinition, _ state: SessionState) throws(Rejection) -> String {
    let time = Timestamp(milliseconds: 0)
    let visible = try app.view(of: state)
    let creation = JournalEntry(
      revision: 1, at: time, kind: .create, name: "create", input: .emptyObject, screen: visible.screen.name)
    let navigation = LiveNavigation(app: app, state: state)
    let session = StoredSession(
      key: SessionKey(Self.id), app: app.name, createdAt: time, expiresAt: time, locale: nil,
      revision: state.revision, navigation: .live(navigation), journal: Journal(creation))
    let json = Snapshot(id: Self.id, session: session, navigation: navigation, visible: visible).json
    return String(decoding: json.finish(), as: UTF8.self)
  }
}
