import CoreMetrics
import Glibc
import Usher

/// Measures how late many timers fire that are due within one second, while other sessions act.
///
///     timers STORE COUNT
///
/// `STORE` is as for `usher serve`. Prints one line: the timers that fired early, not at all, or more than once, the
/// median, the 99th percentile and the maximum of the lateness in milliseconds, and the actions of the other sessions in
/// that time with the 99th percentile of their latency.
@main
struct Timers {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int(arguments[2]) else { exit(64) }
    let store = try StoreLocation(arguments[1]).open(StoreLimits())
    let service = SessionService(apps: [try AppDefinition(Alarm.app)], store: store)
    let runner = WorkRunner(service, metrics: NOOPMetricsHandler.instance) { print($0) }
    let running = Task { await runner.run() }

    // Sessions are created at more than this rate.
    let begin = now() + 5000 + count / 5
    let ids = try await create(count, in: service) { begin + $0 * 1000 / count }
    let others = try await create(64, in: service) { _ in nil }
    let surplus = begin - now()
    guard surplus > 0 else { fatalError("The sessions were not created in time.") }
    try await Task.sleep(for: .milliseconds(max(0, surplus - 500)))

    let acting = Task { await act(on: others, in: service) }
    var pending = count
    while pending > 0, now() < begin + 120_000 {
      try await Task.sleep(for: .seconds(1))
      pending = try await store.countWork().pending
    }
    acting.cancel()
    let latencies = await acting.value.sorted()
    var (early, missing, repeated) = (0, 0, 0)
    var lateness: [Int] = []
    for (number, id) in ids.enumerated() {
      let snapshot = try await service.snapshot(id)
      guard let firedAt = snapshot.visible.data["firedAt"]?.int else {
        missing += 1
        continue
      }
      let late = Int(firedAt) - (begin + number * 1000 / count)
      if late < 0 { early += 1 }
      if snapshot.session.revision != 2 { repeated += 1 }
      lateness.append(late)
    }
    lateness.sort()
    func part(_ fraction: Double) -> Int { lateness[min(lateness.count - 1, Int(Double(lateness.count) * fraction))] }
    let actions = latencies.isEmpty ? 0 : latencies[min(latencies.count - 1, latencies.count * 99 / 100)]
    print(early, missing, repeated, part(0.5), part(0.99), lateness.last ?? 0, latencies.count, actions)
    running.cancel()
    await running.value
    store.close()
  }

  /// Milliseconds since 1970.
  private static func now() -> Int { Int(TimeSource.system.now().milliseconds) }

  /// Creates sessions, 256 at a time, so that a store can commit them in groups.
  private static func create(
    _ count: Int, in service: SessionService, at time: @escaping @Sendable (Int) -> Int?
  ) async throws -> [SessionID] {
    try await withThrowingTaskGroup(of: [(Int, SessionID)].self) { group in
      let width = min(256, count)
      for part in 0..<width {
        group.addTask {
          var ids: [(Int, SessionID)] = []
          for number in stride(from: part, to: count, by: width) {
            let input: Value = time(number).map { ["at": Value($0)] } ?? .emptyObject
            ids.append((number, try await service.create(.init(app: "alarm", input: input)).snapshot.id))
          }
          return ids
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }.sorted { $0.0 < $1.0 }.map(\.1)
    }
  }

  /// Acts on each session by turns until the task is cancelled, at 1,000 actions a second or less. Returns the latency
  /// of each action in milliseconds.
  private static func act(on sessions: [SessionID], in service: SessionService) async -> [Int] {
    await withTaskGroup(of: [Int].self) { group in
      for part in 0..<8 {
        group.addTask {
          var latencies: [Int] = []
          var number = part
          while !Task.isCancelled {
            let start = ContinuousClock.now
            _ = try? await service.perform(
              .init(.action(name: "look", input: .emptyObject)), on: sessions[number % sessions.count])
            latencies.append(Int((ContinuousClock.now - start) / .milliseconds(1)))
            number += 8
            try? await Task.sleep(for: .milliseconds(8))
          }
          return latencies
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }
}

/// An app with one timer.
struct Alarm: Coordinator {
  struct Setting: AppInput { @Field("Time", in: 0...4_000_000_000_000) var at: Int? }

  struct Clock: Screen {
    static let name = "clock"
    static let title: Title<Self> = "Clock"
    static let actions: [any Action.Type] = [Look.self]
    var firedAt: Int?
  }

  struct Look: Action {
    static let name = "look"
    static let title: Text = "Look"
  }

  struct Ring: TimedEvent { static let name = "ring" }

  static let app = App("alarm", title: "Alarm", input: Setting.self) { Alarm(at: $0.at) }
  static let name = "alarm"
  static let wiring = Wiring<Self>()
    .shows(Clock.self)
    .on(Look.self) { _, _, _ in }
    .on(timer: Ring.self) { _, _, nav in nav.replaceTop(Clock(firedAt: Int(nav.now.milliseconds))) }

  var at: Int?

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Clock())
    if let at { nav.schedule(Ring(), after: .milliseconds(at - Int(nav.now.milliseconds))) }
  }
}
