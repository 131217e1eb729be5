import Testing

@testable import Navigation

/// Links as histories and the console show them.
@Suite struct LinkSecrecyTests {
  @Test(arguments: [
    ("/orders/o1", "/orders/o1"), ("/claims/c1?code=4711&page=2", "/claims/••••?code=••••&page=2"),
    ("/claims/a%20b?page=2&utm=ann@example.com#top", "/claims/••••?page=2&utm=••••"), ("/claims//c1/", "/claims/••••"),
    ("/nothing/like/this", "/••••"), ("claims", "/••••"), ("/claims/%GG", "/••••"),
  ])
  func `a link has bullets in place of its secret and its unknown fields`(link: String, shown: String) throws {
    let app = try AppDefinition(
      App("claims", title: "Claims", links: [OrderLink.self, ClaimLink.self]) { ClaimsCoordinator() })
    #expect(app.hidingSecrets(ofLink: link) == shown)
  }
}

private struct ClaimsCoordinator: Coordinator {
  static let name = "claims"
  func start(_ nav: inout Navigator<Self>) { nav.push(Claims()) }

  static let wiring = Wiring<Self>()
    .shows(Claims.self)
    .on(Look.self) { _, _, _ in }
}

private struct Claims: Screen {
  static let name = "claims"
  static let title: Title<Self> = "Claims"
  static let actions: [any Action.Type] = [Look.self]
}

private struct Look: Action {
  static let name = "look"
  static let title: Text = "Look"
}

private struct OrderLink: Link {
  static let pattern = "/orders/{order}"
  @Field("Order", length: 1...20) var order: String
  var steps: [Step] { [.action(Look())] }
}

private struct ClaimLink: Link {
  static let pattern = "/claims/{claim}"
  @Field("Claim", length: 1...20, isSensitive: true) var claim: String
  @Field("Code", length: 1...20, isSecret: true) var code: String?
  @Field("Page", in: 1...9) var page: Int?
  var steps: [Step] { [.action(Look())] }
}
