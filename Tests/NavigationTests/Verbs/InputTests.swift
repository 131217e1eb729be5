import Navigation
import Testing
import Values

/// The inputs of actions and of an app at creation.
@Suite struct InputTests {

  @Test(arguments: [1e17, -1e17, 4.0]) func `a whole number is one however it is written`(number: Double) throws {
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
