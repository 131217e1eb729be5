import ExampleApps
import Flows
import Foundation
import HTTPAPI
import Sessions
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

  private static func flow(_ name: String) throws -> AppDefinition {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Examples/Flows/\(name)/flow.yaml")
    let compilation = Flow.compile([Flow.File(path: "flow.yaml", bytes: [UInt8](try Data(contentsOf: folder)))])
    return try #require(compilation.app, "\(compilation.faults)")
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
