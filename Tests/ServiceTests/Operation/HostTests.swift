import ExampleApps
import Navigation
import Testing
import Usher

/// The registration of apps with a host, and its start.
@Suite struct HostTests {
  private struct Lonely: Coordinator {
    static let name = "lonely"
    func start(_ nav: inout Navigator<Self>) {}
    static let wiring = Wiring<Self>().on(Ring.self) { _, _, _ in }
  }

  private struct Ring: Action {
    static let name = "ring"
    static let title: Text = "Ring"
  }

  @Test func `a host reports the faults of all apps at once`() throws {
    let lonely = App("lonely", title: "Lonely") { Lonely() }
    do {
      _ = try AppHost(apps: [lonely, ExampleApps.shop, lonely, ExampleApps.shop])
      Issue.record("The faulty apps were accepted.")
    } catch {
      #expect(error.apps.map(\.app) == ["lonely", "lonely", "shop"])
      #expect(error.description.contains("Another app has this name."))
    }
  }

  @Test func `apps without faults are hosted`() throws {
    #expect(
      try AppHost(apps: ExampleApps.all).apps.map(\.name) == ["pages", "shop", "tabs", "bank", "checkout", "gallery"])
  }

  @Test func `the setting apps chooses apps, or none`() throws {
    var settings = HostSettings()
    for (names, chosen) in [(["shop", "pages"], ["shop", "pages"]), (["none"], [])] {
      settings.apps = names
      #expect(try AppHost(apps: ExampleApps.all, settings: settings).apps.map(\.name) == chosen)
    }
    settings.apps = ["shop", "none"]
    #expect(throws: HostFaults.self) { try AppHost(apps: ExampleApps.all, settings: settings) }
  }

  private struct FetchQuote: Effect {
    static let name = "fetch-quote"
    static let httpServices = ["shop", "bank"]
    func run(_ context: EffectContext<Self>) async throws -> Nothing { Nothing() }
  }

  private struct Quoting: Coordinator {
    static let name = "quoting"
    func start(_ nav: inout Navigator<Self>) {}
    static let wiring = Wiring<Self>()
      .performs(FetchQuote.self, done: { _, _, _ in }, failed: { _, _, _ in })
  }

  @Test func `a host reports all faults of HTTP services, and does not start`() async throws {
    var settings = HostSettings()
    settings.services.addresses = [.init("mail", "ftp://mail")]
    settings.services.tokenFiles = [.init("mail", "/none")]
    let host = try AppHost(apps: [App("quoting", title: "Quoting") { Quoting() }], settings: settings)
    let faults = await #expect(throws: HTTPServiceFaults.self) { try await host.run() }
    let missing = ["bank", "shop"].map {
      "The app quoting uses the HTTP service \($0) in fetch-quote, and it has no address. "
        + "Set it with --service \($0)=URL."
    }
    let unused = ["No served app uses the HTTP service mail. Check its name in --service."]
    #expect(faults?.sentences.count == 5)
    #expect(faults?.sentences.suffix(3) == (missing + unused)[...])
  }

  @Test func `a service group logs the host by its name, without the settings`() throws {
    #expect("\(try AppHost(apps: ExampleApps.all))" == "usher")
  }

  @Test func `faults are described as text, even if no code catches them`() throws {
    let lonely = App("lonely", title: "Lonely") { Lonely() }
    let text = """
      The app lonely has 1 fault:
        lonely › ring: The action is handled, but no screen and no prompt offers it. Add it to the actions of one.
      """
    let faults = #expect(throws: HostFaults.self) { try AppHost(apps: [lonely]) }
    // Swift prints an error that leaves `main` by its reflection.
    #expect(faults.map { "\($0)" } == text)
    #expect(faults.map { String(reflecting: $0) } == text)
  }

  @Test func `a program with faulty apps prints the faults and exits with 1`() async throws {
    let result = try await #require(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
      await AppHost.main(apps: [App("lonely", title: "Lonely") { Lonely() }])
    }
    let printed = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(printed.contains("The app lonely has 1 fault:\n  lonely › ring: "))
  }

  @Test func `the log contains the addresses, the apps and the store at the start`() async throws {
    var settings = HostSettings()
    settings.server.port = 0
    settings.adminPort = 0
    settings.store = .memory
    settings.apps = ["shop", "tabs"]
    var host = try AppHost(apps: ExampleApps.all, settings: settings)
    let log = TestLog()
    host.logger = log.logger
    let (addresses, continuation) = AsyncStream.makeStream(of: HostAddresses.self)
    host.started = { continuation.yield($0) }
    let serving = Task { [host] in try await host.run() }
    var started = addresses.makeAsyncIterator()
    let reached = try #require(await started.next())
    serving.cancel()
    try? await serving.value
    let line = try #require(log.lines.first { $0["message"].string == "serving" })
    #expect(line["address"].string == "http://\(reached.service)")
    #expect(line["admin"].string == reached.admin.map { "http://\($0)" })
    #expect([line["apps"][0].string, line["apps"][1].string] == ["shop", "tabs"])
    #expect(line["store"].string == "memory")
    #expect(line["version"].string == usherVersion)
  }
}

/// The maximum lifetime of sessions.
@Suite struct MaximumLifeTests {
  @Test func `the maximum limits apps and creators, and the log warns of apps that ask for more`() async throws {
    var settings = HostSettings()
    #expect(settings.maximumLife == 31_536_000)
    settings.maximumLife = 3600
    #expect(settings.sessions.allowedTimeToLive == 1...3600 && settings.navigation.life == .seconds(3600))
    settings.server.port = 0
    settings.store = .memory
    let apps = [
      ExampleApps.pages.life(idle: .seconds(3601)), ExampleApps.tabs.life(idle: .seconds(3600)), ExampleApps.shop,
    ]
    var host = try AppHost(apps: apps, settings: settings)
    #expect(host.apps.map { $0.life == nil } == [false, false, true] && host.apps[0].life == host.apps[1].life)
    let log = TestLog()
    host.logger = log.logger
    let (addresses, continuation) = AsyncStream.makeStream(of: HostAddresses.self)
    host.started = { continuation.yield($0) }
    let serving = Task { [host] in try await host.run() }
    var started = addresses.makeAsyncIterator()
    _ = await started.next()
    serving.cancel()
    try? await serving.value
    let warnings = log.lines.filter { $0["message"].string?.contains("--max-session-life") == true }
    #expect(warnings.map { $0["app"].string } == ["pages"])
  }
}

/// The URL at which senders of signals reach the service.
@Suite struct PublicURLTests {
  @Test(arguments: ["https://app.example.com", "http://127.0.0.1:8080", "http://[::1]:65535", "http://a:1"])
  func `an origin is a public URL`(text: String) { #expect(PublicURL(text)?.text == text) }

  @Test(
    arguments: [
      "", "app.example.com", "ftp://a", "https://", "https://a/", "https://a/b", "https://a:0", "https://a:65536",
      "https://a:99999", "https://u@a", "https://a?b", "https://a b",
    ])
  func `any other text is none`(text: String) { #expect(PublicURL(text) == nil) }
}
