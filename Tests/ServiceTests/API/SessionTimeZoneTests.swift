import Navigation
import TestSupport
import Testing

/// The time zone that a client names at the creation of a session.
@Suite(.limitedConcurrency) struct SessionTimeZoneTests {
  private static let app = App("diary", title: "Diary") { Diary() }.timeZone("Europe/Berlin")

  private func service(_ transport: TestService.Transport = .socket) throws -> TestService {
    try TestService(transport, apps: [Self.app])
  }

  private func shown(_ answer: Answer) -> String? { answer.json["screen", "data", "today"].string }

  /// The clock of the tests begins at 2026-11-20T12:00:00Z.
  @Test(arguments: TestService.Transport.allCases)
  func `a session has the zone of its creation, and the date there`(transport: TestService.Transport) async throws {
    let service = try service(transport)
    for (members, zone, date) in [
      (#","timeZone":"Pacific/Auckland""#, "Pacific/Auckland", "2026-11-21"),
      (#","timeZone":"America/Los_Angeles""#, "America/Los_Angeles", "2026-11-20"),
      ("", nil, "2026-11-20"), (#","timeZone":null"#, nil, "2026-11-20"),
    ] as [(String, String?, String)] {
      let visitor = try await service.start("diary", members)
      #expect(visitor.view["session", "timeZone"].string == zone)
      #expect(visitor.view["session", "timeZone"].isMissing == (zone == nil))
      #expect(visitor.data["today"].string == date)
    }
  }

  @Test(arguments: TestService.Transport.allCases)
  func `any other name is refused`(transport: TestService.Transport) async throws {
    let service = try service(transport)
    for zone in [#""Mars/Base""#, #""../../etc/passwd""#, #""europe/berlin""#, #""+01:00""#, #""""#] {
      let answer = try await service.send("POST", "/v1/sessions", #"{"app":"diary","timeZone":\#(zone)}"#)
      #expect(answer.status == 400 && answer.problem == "invalid-request", "\(zone)")
      #expect(answer.json["detail"].string == "timeZone must be a time zone such as Europe/Berlin.")
    }
    let number = try await service.send("POST", "/v1/sessions", #"{"app":"diary","timeZone":1}"#)
    #expect(number.status == 400)
  }

  @Test func `a view and its entity tag do not depend on the time of the request`() async throws {
    let service = try service()
    let visitor = try await service.start("diary", #","timeZone":"America/Los_Angeles""#)
    service.clock.advance(seconds: 72_000)
    let later = try await service.send("GET", visitor.path)
    #expect(later.json == visitor.view && later.header("ETag") == visitor.last.header("ETag"))
    #expect(shown(later) == "2026-11-20")
    #expect(shown(try await visitor.act("stay").last) == "2026-11-21")
  }

  @Test func `a form of the start page names the zone of the browser, or none`() async throws {
    let service = try service(.inProcess)
    let page = try await service.send("GET", "/", headers: ["Accept": browser]).text
    // The script adds the field.
    #expect(page.contains(#"<script type="module" src="/page.js"></script>"#) && !page.contains("timeZone"))
    let headers = ["Content-Type": "application/x-www-form-urlencoded", "Accept": browser]
    // A browser may know a zone that the machine of the service lacks.
    for (field, zone) in [
      ("&timeZone=Pacific%2FAuckland", "Pacific/Auckland"), ("", nil), ("&timeZone=Etc%2FUnknown", nil),
      ("&timeZone=", nil),
    ] as [(String, String?)] {
      let created = try await service.send("POST", "/v1/sessions", "app=diary\(field)", headers: headers)
      let path = try #require(created.header("Location"), "\(created.text)")
      #expect(try await service.send("GET", path).json["session", "timeZone"].string == zone)
    }
  }

  @Test func `a new start of a finished session keeps its zone`() async throws {
    let service = try service(.inProcess)
    for (members, zone) in [(#","timeZone":"Pacific/Auckland""#, "Pacific/Auckland"), ("", nil)] as [(String, String?)]
    {
      let visitor = try await service.start("diary", members).act("stop")
      let page = try await service.send("GET", visitor.path, headers: ["Accept": browser]).text
      let field = zone.map { #"<input type="hidden" name="timeZone" value="\#($0)">"# }
      #expect(page.contains(field ?? #"name="key""#) && page.contains("timeZone") == (zone != nil))
    }
  }

  private struct Page: Screen {
    static let name = "page"
    static let title: Title<Self> = "Page"
    static let actions: [any Action.Type] = [Stay.self, Stop.self]
    var today = ""
  }

  private struct Stay: Action {
    static let name = "stay"
    static let title: Text = "Stay"
  }

  private struct Stop: Action {
    static let name = "stop"
    static let title: Text = "Stop"
  }

  private struct Diary: Coordinator {
    static let name = "diary"
    static let wiring = Wiring<Self>()
      .shows(Page.self) { _, page, context in page.today = context.today.description }
      .on(Stay.self) { _, _, _ in }
      .on(Stop.self) { _, _, nav in nav.finish() }
    func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
  }
}
