import ExampleApps
import Foundation
import TestSupport
import Testing
import Values

@testable import Navigation

/// The properties along random walks through the example apps, the club and the nest.
@Suite struct WalkTests {
  private static let apps = ["pages", "shop", "tabs", "bank", "checkout", "gallery"]
  /// The steps of each walk: one through every app, one through the club, and one through the nest.
  private static let steps = RandomWalks.steps / (apps.count + 2)

  @Test(arguments: apps)
  func `properties 1 to 11, 13 to 18, 21 and 24 to 27 hold along random walks`(name: String) throws {
    let app = try #require(ExampleApps.all.first { $0.name == name })
    let links = name == "bank" ? ["/accounts/a1", "/accounts/a3", "/inbox/m1", "/inbox/m2", "/transfer"] : []
    try Walk(app, links: links).run(RandomWalks.steps)
  }

  @Test func `the properties hold where guards, prompts and leave policies interact`() throws {
    try Walk(Club.app, links: ["/rooms/red", "/cellar", "/roof", "/roof?note=x"]).run(RandomWalks.steps)
  }

  @Test func `the properties hold where modals, tabs, children, guards, prompts and leave policies nest in each other`()
    throws
  {
    try Walk(Nest.app, mayRefuse: true).run(RandomWalks.steps)
  }

  @Test func `16: back at a child's first screen is the custom back`() throws {
    let app = try AppDefinition(ExampleApps.pages)
    let second = try app.perform(.action(name: "next", input: .emptyObject), on: try app.begin().packed)
    let custom = try app.perform(.action(name: "first", input: .emptyObject), on: second.packed)
    let plain = try app.perform(.back, on: second.packed)
    #expect(custom.packed == plain.packed)
  }
}

/// A random walk through an app, with every check along the way.
struct Walk {

  private let checks: StepChecks
  private let journeys: JourneyChecks
  private let links: [String]
  private let mayRefuse: Bool
  /// The maximum number of steps of one session, so that a failing sequence is short.
  private static let length = 200

  /// - Parameter mayRefuse: whether the handlers of the app give commands that may be refused, so that an offered
  ///   action may be rejected.
  init(_ app: App, links: [String] = [], mayRefuse: Bool = false) throws {
    checks = try StepChecks(app)
    journeys = JourneyChecks(app: checks.app)
    self.links = links
    self.mayRefuse = mayRefuse
  }

  /// Performs `count` steps. The error for a failed property contains the shortest sequence of intents that leads to
  /// it.
  func run(_ count: Int) throws {
    var random = Randomness(seed: RandomWalks.seed)
    var left = count
    while left > 0 {
      let session = random.next()
      do {
        left -= try walk(min(left, Self.length), Randomness(seed: session))
      } catch let failed as WalkFailure {
        let shortest = shrink(failed)
        let intents = shortest.intents.map { "  \($0)" }.joined(separator: "\n")
        throw PropertyFailure(
          shortest.failure.property,
          "\(shortest.failure.sentence)\nWALK_SEED=\(RandomWalks.seed), app \(checks.app.name), after:\n\(intents)")
      }
    }
  }

  private struct WalkFailure: Error {
    let intents: [Intent]
    let failure: PropertyFailure
  }

  private func walk(_ count: Int, _ seeded: Randomness) throws -> Int {
    var random = seeded
    let begun = try checks.app.begin()
    var (packed, live) = (begun.packed, begun.state)
    var done: [Intent] = []
    for step in 0..<count {
      let offer = try AvailableIntents(checks.app, try checks.app.unpack(packed))
      let stray = random.once(in: 6)
      var intents = stray ? offer.unadvertised(&random) : offer.advertised(&random)
      if !stray, !links.isEmpty, random.once(in: 12) { intents = [.open(link: random.pick(links))] }
      // A screen without intents ends the walk.
      guard !intents.isEmpty else { return step + 1 }
      let intent = random.pick(intents)
      done.append(intent)
      var isOffered: Bool? = !stray
      switch intent {
      case .open where !stray: isOffered = nil
      case .action where !stray && mayRefuse: isOffered = nil
      default: break
      }
      do {
        packed =
          try take(intent, from: packed, &live, isOffered: isOffered, looksAround: random.once(in: 8)) ?? packed
      } catch let failure as PropertyFailure {
        throw WalkFailure(intents: done, failure: failure)
      }
    }
    return count
  }

  private func take(
    _ intent: Intent, from packed: [UInt8], _ live: inout SessionState, isOffered: Bool?, looksAround: Bool
  ) throws -> [UInt8]? {
    let performed = try checks.perform(intent, on: packed, isOffered: isOffered)
    try checks.checkLive(&live, intent, performed?.packed ?? packed)
    guard let step = performed else { return nil }
    if looksAround {
      try journeys.check(intent, from: packed, to: step)
      for link in links { try journeys.checkLink(link, from: step.packed) }
    }
    return step.packed
  }

  /// Returns the failure with a shorter sequence: removes ever smaller pieces while some property still fails.
  private func shrink(_ failed: WalkFailure) -> WalkFailure {
    var shortest = failed
    var piece = max(failed.intents.count / 2, 1)
    while true {
      var start = 0
      while start < shortest.intents.count {
        var shorter = shortest.intents
        shorter.removeSubrange(start..<min(start + piece, shorter.count))
        if let failure = replay(shorter) {
          shortest = WalkFailure(intents: shorter, failure: failure)
        } else {
          start += piece
        }
      }
      if piece == 1 { return shortest }
      piece /= 2
    }
  }

  private func replay(_ intents: [Intent]) -> PropertyFailure? {
    do {
      let begun = try checks.app.begin()
      var (packed, live) = (begun.packed, begun.state)
      for intent in intents {
        packed = try take(intent, from: packed, &live, isOffered: nil, looksAround: true) ?? packed
      }
      return nil
    } catch {
      return error as? PropertyFailure
    }
  }
}
