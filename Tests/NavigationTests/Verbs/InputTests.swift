import Navigation
import Testing
import Values

/// The inputs of actions and of an app at creation.
@Suite struct InputTests {
  @Test func `an app's input reaches its root, and absent fields get their defaults`() throws {
    let given = try Session(Club.app, input: ["guests": 3, "size": "large"]).state.nodes[0].state
    #expect(given["guests"] == 3 && given["size"] == "large")
    let absent = try Session(Club.app).state.nodes[0].state
    #expect(absent["guests"] == 0 && absent["size"] == "small")
  }

  @Test(arguments: [["guests": 6], ["guests": "two"], ["size": "huge"], ["guests": 1.5]] as [Value])
  func `an invalid input of an app is rejected`(input: Value) throws {
    let app = try AppDefinition(Club.app)
    #expect(throws: Rejection.self) { try app.begin(input: input) }
  }

  @Test func `the cases of an enumeration are the choices of its field`() throws {
    let app = try AppDefinition(Club.app)
    #expect(app.input.jsonSchema["properties"]?["size"]?["enum"] == ["small", "large", .null])
    var session = try Session(Club.app)
    try session.act("enter", ["room": "blue"])
    #expect(try session.titles == ["Hall", "The blue room"])
    session.expectRejected { try $0.act("write", ["what": "book"]) }
  }

  @Test(arguments: [1e17, -1e17, 4.0]) func `a whole number is accepted in every notation`(number: Double) throws {
    var session = try Session(Vault.app)
    let written = try #require(Value(finite: number))
    try session.act("mark", ["count": written])
    #expect(try session.view.tabBar?.tabs[1].badge == Int(number))
  }

  @Test(arguments: [1e19, -1e19]) func `a whole number beyond 64 bits is refused`(number: Double) throws {
    var session = try Session(Vault.app)
    let written = try #require(Value(finite: number))
    session.expectRejected { try $0.act("mark", ["count": written]) }
  }
}
