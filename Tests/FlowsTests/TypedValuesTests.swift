import CEL
import Testing
import Values

@testable import Flows

/// Values of JSON as the types that a flow declares.
@Suite struct TypedValuesTests {
  private let type = CEL.ValueType.object(
    CEL.ObjectType(
      "quote",
      [
        "cents": .init(.int), "rate": .init(.double), "parts": .init(.list(.int)),
        "seats": .init(.nullable(.map(.string, .int))),
      ]))

  @Test func `a number becomes one of its declared type if it fits`() throws {
    let value = try JSONParser.parse(
      Array(#"{"cents": 5.0, "rate": 2, "parts": [1, 2.0, 2.5], "seats": {"a": 3e2, "b": 1e18}, "other": 1.0}"#.utf8))
    let typed = value.converted(to: type)
    #expect(typed["cents"]?.kind == .integer && typed["cents"]?.int == 5)
    #expect(typed["rate"]?.double == 2 && typed["rate"]?.int == nil)
    #expect(typed["parts"]?.elements.map(\.int) == [1, 2, nil])
    #expect(typed["seats"]?["a"]?.int == 300)
    // JSON has an integer of at most 2^53 for a whole number with an exponent, and a double beyond.
    #expect(typed["seats"]?["b"]?.int == 1_000_000_000_000_000_000)
    #expect(typed["other"] == value["other"])
  }

  @Test(arguments: [
    (#"{"cents": 1e19}"#, "/cents"), (#"{"cents": 1, "parts": [1, 9223372036854775808]}"#, "/parts/1"),
    (#"{"seats": {"a": 1, "b": -1e300}}"#, "/seats/b"), (#"{"rate": 1e300, "seats": null, "other": 1e300}"#, nil),
    (#"{"cents": 9223372036854775807}"#, nil),
  ])
  func `a whole number beyond 64 bits has a location`(text: String, pointer: String?) throws {
    let value = try JSONParser.parse(Array(text.utf8)).converted(to: type)
    #expect(value.pointerToLargeNumber(in: type) == pointer)
  }

  @Test func `an optional property that is null is absent`() throws {
    let type = CEL.ValueType.list(
      .object(CEL.ObjectType("order", ["id": .init(.string), "note": .optional(.string), "any": .optional(.dyn)])))
    let value = try JSONParser.parse(Array(#"[{"id": null, "note": null, "any": null, "other": null}]"#.utf8))
    #expect(value.converted(to: type).json == Array(#"[{"id":null,"any":null,"other":null}]"#.utf8))
  }

  @Test(arguments: [
    ("/parts/0", "/parts/0"), ("/seats/ann@example.com", "/seats/*"), ("/other/1", "/*/*"), ("", ""),
    ("/cents/deeper", "/cents/*"),
  ])
  func `the location of a fault has no keys of mappings`(pointer: String, shown: String) {
    #expect(type.publicPath(pointer) == shown)
  }
}
