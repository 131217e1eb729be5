import Testing
import Values

@testable import Navigation

@Suite struct SecretFieldTests {
  private struct Login: Action {
    static let name = "login"
    static let title: Text = "Log in"
    @Field("Name", length: 1...80) var name: String
    @Field("Password", length: 8...1000, isSecret: true) var password: String
    @Field("Code", digits: 6, isSecret: true) var code: String?
  }

  private let schema = FieldDeclarations(of: Login()).schema

  @Test func `secrets are marked in the schema`() {
    let properties = schema.jsonSchema["properties"]
    for (name, isSecret) in [("name", false), ("password", true), ("code", true)] {
      #expect(properties?[name]?["writeOnly"]?.bool == (isSecret ? true : nil))
      #expect(properties?[name]?["format"]?.text == (isSecret ? "password" : nil))
    }
  }

  @Test func `secret and undeclared members are hidden`() {
    let input: Value = ["name": "ann", "password": "open sesame", "code": .null, "old": ["x": 1], "gone": .null]
    let shown = schema.hidingSecrets(of: input)
    #expect(shown == ["name": "ann", "password": "••••", "code": .null, "old": "••••", "gone": .null])
    #expect(schema.hidingSecrets(of: "open sesame") == "••••")
    #expect(schema.hidingSecrets(of: .emptyObject) == .emptyObject)
  }

  @Test func `a field is secret if any action of the name declares it so`() {
    let plain = FieldDeclarations(of: Plain()).schema
    for both in [plain.adding(schema), schema.adding(plain)] {
      #expect(both.hidingSecrets(of: ["password": "open sesame"]) == ["password": "••••"])
    }
  }

  private struct Plain: Encodable {
    @Field("Password", length: 8...1000) var password: String
  }
}
