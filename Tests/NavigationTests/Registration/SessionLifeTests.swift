import Testing
import Values

@testable import Navigation

/// The lifetime of the sessions of an app.
@Suite struct SessionLifeTests {
  private static let start = Timestamp(milliseconds: 1_795_176_000_000)

  private func life(
    idle: Int64? = 640, most: Int64? = 6400, warning: Int64? = nil, maximum: Int64 = 31_536_000
  ) -> SessionLife {
    func seconds(_ number: Int64?) -> Duration? { number.map { .seconds($0) } }
    return SessionLife(
      DeclaredLife(idle: seconds(idle), most: seconds(most), warning: seconds(warning)), maximum: .seconds(maximum))
  }

  /// The seconds from the creation to the expiry after a change.
  private func expiry(_ life: SessionLife, _ before: Int64? = nil, at now: Int64) -> Int64 {
    let time = life.expiry(ofCreationAt: Self.start, expiring: before.map { Self.start + $0 }, at: Self.start + now)
    return (time.milliseconds - Self.start.milliseconds) / 1000
  }

  @Test(
    arguments: [
      // The creation, and changes until which at least the idle limit remains.
      (nil, 0, 650), (650, 0, 650), (650, 10, 650),
      // A change that moves the time, up to the last moment, and up to the maximum.
      (650, 11, 661), (650, 649, 1299), (5900, 5800, 6400), (6400, 6399, 6400),
    ] as [(Int64?, Int64, Int64)])
  func `a change moves the end if less than the idle limit remains`(before: Int64?, now: Int64, after: Int64) {
    #expect(expiry(life(), before, at: now) == after)
  }

  @Test func `without an idle limit, a session has its maximum`() {
    let fixed = life(idle: nil, most: 6400)
    #expect(expiry(fixed, at: 0) == 6400 && expiry(fixed, 6400, at: 6000) == 6400)
    #expect(expiry(life(idle: 640, most: nil, maximum: 1000), 900, at: 800) == 1000)
  }

  @Test(
    arguments: [(640, 64), (60, 20), (200, 20), (210, 21), (864_000, 86_400), (8_640_000, 86_400)] as [(Int64, Int64)])
  func `clients warn a tenth of the idle limit before the end, from 20 seconds to a day`(idle: Int64, warning: Int64) {
    let life = life(idle: idle, most: nil)
    #expect(life.warning(before: Self.start) == Self.start + -warning)
  }

  @Test func `a shorter life ends no session without a warning, and extends none`() {
    // The idle limit of a new version.
    #expect(expiry(life(idle: 64), 650, at: 11) == 76)
    // Its maximum is over: the warning of 6.4 seconds is at least 20 seconds.
    let short = life(idle: 64, most: 64)
    #expect(expiry(short, 650, at: 100) == 120)
    #expect(expiry(short, 120, at: 110) == 120)
    #expect(expiry(short, 105, at: 100) == 105)
    #expect(expiry(life(idle: 64, most: 64, warning: 30), 650, at: 100) == 130)
  }

  @Test func `the operator limits both times`() {
    let limited = life(idle: 5000, most: 9000, warning: 4000, maximum: 3200)
    #expect(expiry(limited, at: 0) == 3200 && limited.warning == 3_200_000)
    #expect(life(maximum: 6400) == life() && life(maximum: 100).idle == 100_000)
  }

  private func faults(_ app: App, _ limits: AppDefinition.Limits = .init()) -> [String] {
    do throws(WiringFaults) {
      _ = try AppDefinition(app, limits: limits)
      return []
    } catch {
      return error.faults.map(\.description)
    }
  }

  @Test func `a life with a fault is a fault of the app`() throws {
    let app = App("lodge", title: "Lodge") { Lodge() }
    func fault(_ idle: Duration?, _ most: Duration?, _ warning: Duration? = nil) -> String? {
      faults(app.life(idle: idle, most: most, warning: warning)).first
    }
    #expect(try AppDefinition(app).life == nil)
    #expect(fault(.seconds(60), nil) == nil && fault(nil, .seconds(60)) == nil)
    #expect(fault(.seconds(60), .seconds(60), .seconds(59)) == nil)
    #expect(fault(nil, nil) == "lodge › life: The life has no times. Add idle, most, or both.")
    for time in [Duration.zero, .seconds(-60), .seconds(60) - .milliseconds(1)] {
      #expect(fault(time, nil) == "lodge › life › idle: The time idle is less than 1m. Give people more time.")
      #expect(fault(nil, time) == "lodge › life › most: The time most is less than 1m. Give people more time.")
    }
    #expect(
      fault(.seconds(61), .seconds(60))
        == "lodge › life › idle: The time idle is greater than most. Write a shorter idle, or a longer most.")
    #expect(
      fault(nil, .seconds(60), .seconds(30))
        == "lodge › life › warning: A session without idle cannot be extended. Remove warning, or add idle.")
    for warning in [Duration.seconds(19), .seconds(600), .seconds(86_401)] {
      #expect(fault(.seconds(600), nil, warning)?.hasPrefix("lodge › life › warning: The time warning is out") == true)
    }
    #expect(fault(.seconds(604_800), nil, .seconds(86_401)) != nil)
  }

  @Test func `an app that asks for more than the maximum has the maximum`() throws {
    let app = App("lodge", title: "Lodge") { Lodge() }.life(idle: .seconds(600))
    for (maximum, isLimited) in [(599, true), (600, false)] as [(Int64, Bool)] {
      let definition = try AppDefinition(app, limits: .init(life: .seconds(maximum)))
      #expect(definition.hasLimitedLife == isLimited)
      #expect(definition.life?.idle == maximum * 1000 && definition.life?.most == maximum * 1000)
    }
    #expect(try !AppDefinition(App("lodge", title: "Lodge") { Lodge() }).hasLimitedLife)
  }
}

private struct Chamber: Screen {
  static let name = "room"
  static let title: Title<Self> = "Room"
}

private struct Lodge: Coordinator {
  static let name = "lodge"
  static let wiring = Wiring<Self>().shows(Chamber.self)
  func start(_ nav: inout Navigator<Self>) { nav.push(Chamber()) }
}
