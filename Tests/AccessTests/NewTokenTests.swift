import Foundation
import Testing

@testable import Access

@Suite struct `A new token` {
  private let folder: TestFolder
  private let ann: TokenName

  init() throws {
    folder = try TestFolder()
    ann = try #require(TokenName("ann"))
  }

  @Test func `is like no other, and known by its line`() throws {
    let token = NewToken(name: ann, permissions: [.create, .operate])
    #expect(token.text.wholeMatch(of: /usher_[A-Za-z0-9_-]{43}/) != nil)
    #expect(token.text != NewToken(name: ann, permissions: .act).text)
    #expect(token.line.hasPrefix("ann create,operate ") && !token.line.contains(token.text.dropFirst(6)))
    let file = try TokensFile(try folder.write("tokens", token.line), folder.logger)
    #expect(try file.principal(of: token.text).permissions == [.create, .operate])
  }

  @Test func `is added to a file that is for its owner alone`() throws {
    let path = folder.path("new")
    #expect(try NewToken(name: ann, permissions: .act).append(to: path) == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try NewToken(name: ann, permissions: .create).append(to: path) == 2)
    #expect(try folder.text("new").split(separator: "\n").map { $0.split(separator: " ")[1] } == ["act", "create"])
  }

  @Test func `gets a line of its own where the last one is open`() throws {
    let path = try folder.write("tokens", "# nobody yet")
    #expect(try NewToken(name: ann, permissions: .act).append(to: path) == 1)
    #expect(try folder.text("tokens").hasPrefix("# nobody yet\nann act "))
  }

  @Test func `is not added to what is no tokens file, or cannot be written`() throws {
    let path = try folder.write("list", "milk\nbread\n")
    #expect(throws: AccessError.self) { try NewToken(name: ann, permissions: .act).append(to: path) }
    #expect(try folder.text("list") == "milk\nbread\n")
    #expect(throws: AccessError.self) {
      try NewToken(name: ann, permissions: .act).append(to: folder.path("none/tokens"))
    }
  }
}
