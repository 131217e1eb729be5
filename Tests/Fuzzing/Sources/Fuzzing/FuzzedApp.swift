import ExampleApps
import Values

@testable import Navigation

/// An app, with packed sessions in many states.
struct FuzzedApp {
  let app: AppDefinition
  let checks: StepChecks
  /// Valid links of the app.
  let links: [String]
  /// Packed sessions along a walk.
  let samples: [[UInt8]]

  /// The example apps, and the apps of the tests in which guards, prompts and migrations interact.
  static let all: [FuzzedApp] = holdsWithoutError("an app has faults") {
    try ExampleApps.all.map {
      try FuzzedApp($0, links: $0.name == "bank" ? ["/accounts/a1", "/inbox/m2", "/transfer?to=a3"] : [])
    } + [
      FuzzedApp(Club.app, links: ["/rooms/red", "/cellar", "/roof?note=x"]),
      FuzzedApp(NewLibrary.app, links: ["/archive/1950"], before: OldLibrary.app),
    ]
  }

  /// - Parameter before: the older build of the app that creates the samples, if there is one.
  private init(_ app: App, links: [String], before: App? = nil) throws {
    checks = try StepChecks(app)
    self.app = checks.app
    self.links = links
    samples = try Self.walk(through: try AppDefinition(before ?? app), links)
  }

  private static func walk(through app: AppDefinition, _ links: [String]) throws -> [[UInt8]] {
    var random = Randomness(seed: 1)
    let first = try app.begin().packed
    var samples = [first]
    while samples.count < 64 {
      var intents = try AvailableIntents(app, try app.unpack(samples.last!)).advertised(&random)
      if let link = links.randomElement(using: &random), random.once(in: 4) { intents = [.open(link: link)] }
      let next = intents.isEmpty ? nil : try? app.perform(random.pick(intents), on: samples.last!)
      samples.append(next?.packed ?? first)
    }
    return samples
  }
}
