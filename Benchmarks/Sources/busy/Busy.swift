import Glibc
import Usher

/// A service whose only action takes a given processor time, for measurements under overload.
///
///     busy PORT MICROSECONDS
@main
struct Busy {
  static func main() async throws {
    guard CommandLine.arguments.count == 3, let port = UInt16(CommandLine.arguments[1]),
      let microseconds = Int(CommandLine.arguments[2])
    else { exit(64) }
    Worker.rounds = microseconds * Worker.roundsPerMicrosecond()
    var settings = HostSettings()
    settings.server.port = port
    settings.store = .memory
    var host = try AppHost(apps: [App("busy", title: "Busy") { Worker() }], settings: settings)
    host.started = { _ in
      print("ready")
      fflush(nil)
    }
    try await host.serve()
  }
}

struct Bench: Screen {
  static let name = "bench"
  static let title: Title<Self> = "Bench"
  static let actions: [any Action.Type] = [Work.self]
  var pieces = 0
}

struct Work: Action {
  static let name = "work"
  static let title: Text = "Work"
}

struct Worker: Coordinator {
  static let name = "worker"
  /// Set once, before the first session.
  nonisolated(unsafe) static var rounds = 0
  var pieces = 0

  func start(_ nav: inout Navigator<Self>) { nav.push(Bench()) }

  static let wiring = Wiring<Self>()
    .shows(Bench.self) { me, bench in bench.pieces = me.pieces }
    .on(Work.self) { me, _, _ in
      me.pieces = me.pieces + 1 &+ Int(work(rounds) >> 63)
    }

  /// Computes a value that the optimizer cannot eliminate.
  @inline(never)
  private static func work(_ rounds: Int) -> UInt64 {
    var state: UInt64 = 88_172_645_463_325_252
    for _ in 0..<rounds {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
    }
    return state
  }

  static func roundsPerMicrosecond() -> Int {
    let rounds = 20_000_000
    var sum: UInt64 = 0
    let time = ContinuousClock().measure { sum = work(rounds) }
    return sum == 0 ? 1 : max(1, rounds / Int(time / .microseconds(1)))
  }
}
