import ExampleApps
import Values

@testable import Navigation

/// An app with sessions of it in many states.
struct FuzzedApp {
  let app: AppDefinition
  let checks: StepChecks
  /// Links that lead somewhere in it.
  let links: [String]
  /// Packed sessions along a walk.
  let samples: [[UInt8]]

  /// The example apps, and those of the tests whose guards, prompts and migrations come in each other's way.
  static let all: [FuzzedApp] = holdsWithoutError("an app is not sound") {
    try ExampleApps.all.map {
      try FuzzedApp($0, links: $0.name == "bank" ? ["/accounts/a1", "/inbox/m2", "/transfer?to=a3"] : [])
    } + [
      FuzzedApp(Club.app, links: ["/rooms/red", "/cellar", "/roof?note=x"]),
      FuzzedApp(NewLibrary.app, links: ["/archive/1950"], before: OldLibrary.app),
    ]
  }

  /// - Parameter before: the build of the app that made the samples, if it was another one.
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
