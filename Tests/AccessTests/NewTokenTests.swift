import Foundation
import Testing

@testable import Access

/// New tokens, and their lines in a tokens file.
@Suite struct NewTokenTests {
  private let folder: TestFolder
  private let ann: TokenName

  init() throws {
    folder = try TestFolder()
    ann = try #require(TokenName("ann"))
  }

  @Test func `a new token is unique, and verified by its line`() throws {
    let token = NewToken(name: ann, permissions: [.create, .operate])
    #expect(token.text.wholeMatch(of: /usher_[A-Za-z0-9_-]{43}/) != nil)
    #expect(token.text != NewToken(name: ann, permissions: .act).text)
    #expect(token.line.hasPrefix("ann create,operate ") && !token.line.contains(token.text.dropFirst(6)))
    let file = try TokensFile(try folder.write("tokens", token.line), folder.logger)
    #expect(try file.principal(of: token.text).permissions == [.create, .operate])
  }

  @Test func `a new tokens file is readable by its owner only`() throws {
    let path = folder.path("new")
    #expect(try NewToken(name: ann, permissions: .act).append(to: path) == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try NewToken(name: ann, permissions: .create).append(to: path) == 2)
    #expect(try folder.text("new").split(separator: "\n").map { $0.split(separator: " ")[1] } == ["act", "create"])
  }

  @Test func `a new token gets its own line if the last one has no line break`() throws {
    let path = try folder.write("tokens", "# no tokens")
    #expect(try NewToken(name: ann, permissions: .act).append(to: path) == 1)
    #expect(try folder.text("tokens").hasPrefix("# no tokens\nann act "))
  }

  @Test func `no token is appended to an invalid or unwritable file`() throws {
    let path = try folder.write("list", "milk\nbread\n")
    #expect(throws: AccessError.self) { try NewToken(name: ann, permissions: .act).append(to: path) }
    #expect(try folder.text("list") == "milk\nbread\n")
    #expect(throws: AccessError.self) {
      try NewToken(name: ann, permissions: .act).append(to: folder.path("none/tokens"))
    }
  }
}
