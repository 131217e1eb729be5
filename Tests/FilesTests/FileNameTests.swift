import Files
import Testing

@Suite struct FileNameTests {
  @Test func `an ID is its text of 22 characters`() {
    let id = FileID.random()
    #expect(id.text.utf8.count == 22 && FileID(id.text) == id)
    #expect(id != .random())
    #expect(FileID("AAAAAAAAAAAAAAAAAAAAAA")?.text == "AAAAAAAAAAAAAAAAAAAAAA")
  }

  /// The last text has bits that no ID has.
  @Test(arguments: [
    "", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "../../../../etc/passwd", "AAAAAAAAAAA/AAAAAAAAAA",
    "AAAAAAAAAAAAAAAAAAAAA.", "AAAAAAAAAAAAAAAAAAAAA\u{0}", "ÄÄÄÄÄÄÄÄÄÄÄ", "AAAAAAAAAAAAAAAAAAAAAB",
  ])
  func `no other text is an ID`(text: String) {
    #expect(FileID(text) == nil)
  }
}
