import Foundation
import HTTPAPI
import Navigation
import Synchronization
import Testing

/// The data of screens: dates, and data that changes between two renderings.
@Suite struct ScreenDataTests {
  private let log = TestLog()
  private let service: TestService

  init() throws {
    let log = log
    service = try TestService(.inProcess, apps: [Agenda.app]) { $0.logger = log.logger }
  }

  @Test func `dates in results and in the data of screens, filled or not, have the format of RFC 3339`() async throws {
    let agenda = try await service.start("agenda")
    #expect(agenda.data["opened"].string == "2026-11-20T12:00:00Z")
    #expect(agenda.data["next"].string == "2026-11-20T12:00:01.500Z")
    // This view comes from the store, not from the step that created it.
    #expect(try await service.send("GET", agenda.path).json["screen", "data"] == agenda.data)
    try await agenda.act("plain")
    #expect(agenda.data["at"].string == "2026-11-20T12:00:00Z")
    try await agenda.act("end")
    #expect(agenda.view["session", "result", "at"].string == "2026-11-20T12:00:00Z")
  }

  @Test func `a screen that changes within one revision is reported once`() async throws {
    let agenda = try await service.start("agenda")
    for _ in 1...3 { _ = try await service.send("GET", agenda.path) }
    #expect(reports.isEmpty)
    try await agenda.act("clock")
    for _ in 1...3 { _ = try await service.send("GET", agenda.path) }
    #expect(reports.count == 1 && reports.first?.hasPrefix("agenda › clock: ") == true, "\(reports)")
  }

  private var reports: [String] {
    log.lines.compactMap { $0["message"].string ?? $0["msg"].string }.filter { $0.contains("Two renderings") }
  }
}

private enum Agenda {
  static let app = App("agenda", title: "Agenda") { AgendaCoordinator() }
  static let noon = Date(timeIntervalSince1970: 1_795_176_000)
  static let ticks = Atomic<Int>(0)
}

private struct AgendaCoordinator: Coordinator {
  struct Result: Codable { var at: Date }
  static let name = "agenda"
  var next = Agenda.noon.addingTimeInterval(1.5)

  func start(_ nav: inout Navigator<Self>) { nav.push(Day(opened: Agenda.noon)) }

  static let wiring = Wiring<Self>()
    .shows(Day.self) { me, day in day.next = me.next }
    .shows(Plain.self)
    .shows(Clock.self) { _, clock in clock.ticks = Agenda.ticks.wrappingAdd(1, ordering: .relaxed).newValue }
    .on(ShowPlain.self) { _, _, nav in nav.push(Plain(at: Agenda.noon)) }
    .on(ShowClock.self) { _, _, nav in nav.push(Clock()) }
    .on(EndDay.self) { _, _, nav in nav.finish(Result(at: Agenda.noon)) }
}

private struct Day: Screen {
  static let name = "day"
  static let title: Title<Self> = "Day"
  static let actions: [any Action.Type] = [ShowPlain.self, ShowClock.self]
  var opened: Date
  var next: Date?
}

private struct Plain: Screen {
  static let name = "plain"
  static let title: Title<Self> = "Plain"
  static let actions: [any Action.Type] = [EndDay.self]
  var at: Date
}

private struct Clock: Screen {
  static let name = "clock"
  static let title: Title<Self> = "Clock"
  var ticks = 0
}

private struct ShowPlain: Action {
  static let name = "plain"
  static let title: Text = "Plain"
}

private struct ShowClock: Action {
  static let name = "clock"
  static let title: Text = "Clock"
}

private struct EndDay: Action {
  static let name = "end"
  static let title: Text = "End"
}
