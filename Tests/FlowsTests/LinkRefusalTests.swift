import Flows
import Navigation
import Testing
import UsherTesting

/// Links with values that their steps cannot take.
@Suite struct LinkRefusalTests {
  private static let flow = """
    usher: 1
    app: links
    root: main
    links:
      /claims/{parcel}: [{action: find, with: {parcel: =parcel}}]
      /days/{day}: [{action: read, with: {day: =int(day)}}]
    coordinators:
      main:
        start: [{push: start}]
        handles: {find: [{push: found}], read: [{push: found}]}
    screens:
      start:
        actions:
          find: {input: {parcel: {type: string, pattern: "^[A-Z]{2}$", examples: [VN]}}}
          read: {input: {day: {type: integer, minimum: 1, maximum: 31}}}
      found: {}

    """

  @Test(arguments: ["/claims/VN", "/days/7"])
  func `a link with valid values opens its screen`(link: String) throws {
    let app = try FlowFolder.app(Self.flow)
    #expect(try app.view(of: app.create(link: link)).screen.name == "found")
  }

  @Test(arguments: ["/claims/xyz", "/days/32", "/days/first"])
  func `a link with a value that its step cannot take is invalid`(link: String) throws {
    let app = try FlowFolder.app(Self.flow)
    let rejection = #expect(throws: Rejection.self) { try app.create(link: link) }
    guard case .invalidLink(step: let step?, let fault) = rejection else {
      Issue.record("\(String(describing: rejection))")
      return
    }
    if link == "/days/first" {
      #expect(step == "/days/{day}" && fault == .unusableValues)
    } else {
      guard case .invalidInput = fault else { throw rejection! }
    }
  }
}
