import Navigation
import Testing
import Values

/// The fields of an action in the steps of a link.
@Suite struct FieldValueTests {
  private struct Probe: Action {
    static let name = "probe"
    static let title: Text = "Probe"
    @Field("Name", choices: ["a1", "a2"]) var name: String
    @Field("Count", in: 1...9) var count: Int
    @Field("Share") var share: Double
    @Field("Sure") var isSure: Bool
    @Field("Note") var note: String?
  }

  @Test func `an action takes its fields by name, from values and from other fields`() throws {
    let written = Probe(
      name: Field(value: "a1"), count: Field(value: 3), share: Field(value: 0.5), isSure: Field(value: true))
    #expect(
      try Value(encoding: written).description == #"{"name":"a1","count":3,"share":0.5,"isSure":true,"note":null}"#)
    let copied = Probe(
      name: written.$name, count: Field(value: written.count + 1), share: written.$share, isSure: written.$isSure,
      note: Field(value: "x"))
    #expect(copied.name == "a1" && copied.count == 4 && copied.note == "x")
  }
}
