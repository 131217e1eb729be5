import Foundation
import Testing

@testable import Access

@Suite struct `A tokens file` {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let digest = TokenDigest(of: "open sesame").hex

  private func open(_ text: String) throws -> TokensFile {
    try TokensFile(try folder.write("tokens", text), every: .zero, folder.logger)
  }

  @Test func `says whose a token is`() throws {
    let other = TokenDigest(of: "other").hex
    let file = try open(
      "# Who may come in\n\nann create,act \(Self.digest)\r\n\t bob-2.x_Y\toperate \(other.uppercased())  # until May")
    let ann = try file.principal(of: "open sesame")
    #expect(ann == Principal(name: "token:ann", permissions: [.create, .act]))
    let bob = try file.principal(of: "other")
    #expect(bob == Principal(name: "token:bob-2.x_Y", permissions: .operate))
    for wrong in ["", "open", "open sesame ", Self.digest] {
      #expect(throws: TokenRefusal.invalid) { try file.principal(of: wrong) }
    }
  }

  @Test func `may have several tokens of one name`() throws {
    let file = try open("ann act \(Self.digest)\nann create \(TokenDigest(of: "new").hex)\n")
    #expect(try file.principal(of: "open sesame").name == file.principal(of: "new").name)
    #expect(try file.principal(of: "new").permissions == .create)
  }

  @Test(arguments: [
    ("ann act", "A line is NAME PERMISSIONS SHA256"), ("ann act \(digest) x", "A line is NAME PERMISSIONS SHA256"),
    ("ann create, act \(digest)", "A line is NAME"), ("änn act \(digest)", "A name is 1 to 64 letters"),
    ("a/b act \(digest)", "A name is"), ("\(String(repeating: "a", count: 65)) act \(digest)", "A name is"),
    ("ann read \(digest)", "Permissions are"), ("ann act,, \(digest)", "Permissions are"),
    ("ann ACT \(digest)", "Permissions are"), ("ann , \(digest)", "Permissions are"),
    ("ann act open-sesame", "not a SHA-256"), ("ann act \(digest.dropLast())", "not a SHA-256"),
    ("ann act \(digest)0", "not a SHA-256"), ("ann act +\(digest.dropFirst())", "not a SHA-256"),
    ("ann act \(digest.dropLast())g", "not a SHA-256"),
    ("ann create \(TokenDigest(of: "old").hex)", "A line before has the same token"),
  ])
  func `with a bad line says which, and not what is there`(line: String, reason: String) throws {
    let path = try folder.write("tokens", "old act \(TokenDigest(of: "old").hex)\n# comment\n\(line)\n")
    do {
      _ = try TokensFile(path, folder.logger)
      Issue.record("It is taken.")
    } catch {
      #expect(error.description.hasPrefix("\(path), line 3: ") && error.description.contains(reason))
      #expect(!error.description.contains(Self.digest.prefix(8)) && !error.description.contains("sesame"))
      #expect(!error.description.contains("\n"))
    }
  }

  @Test func `that is not there or no text is refused`() throws {
    #expect(throws: AccessError.self) { try TokensFile(folder.path("none"), folder.logger) }
    let path = folder.path("bytes")
    try Data([0xFF, 0xFE, 0x0A]).write(to: URL(filePath: path))
    do {
      _ = try TokensFile(path, folder.logger)
      Issue.record("It is taken.")
    } catch {
      #expect(error.description == "\(path) is not a text in UTF-8.")
    }
  }

  @Test func `is read again when it has changed`() throws {
    let file = try open("ann act \(Self.digest)\n")
    #expect(try file.principal(of: "open sesame").permissions == .act)
    try folder.write("tokens", "ann act,operate \(Self.digest)\n")
    #expect(try file.principal(of: "open sesame").permissions == [.act, .operate])
    try folder.write("tokens", "")
    #expect(throws: TokenRefusal.invalid) { try file.principal(of: "open sesame") }
    #expect(folder.complaints.isEmpty)
  }

  @Test func `that has become wrong is told of once, and what it said stays in force`() throws {
    let file = try open("ann act \(Self.digest)\n")
    try folder.write("tokens", "nonsense")
    for _ in 0..<3 { #expect(try file.principal(of: "open sesame").name == "token:ann") }
    #expect(folder.complaints.count == 1)
    try folder.remove("tokens")
    for _ in 0..<3 { #expect(try file.principal(of: "open sesame").name == "token:ann") }
    #expect(folder.complaints.count == 2)
    try folder.write("tokens", "bob act \(Self.digest)\n")
    #expect(try file.principal(of: "open sesame").name == "token:bob")
  }

  @Test func `is not looked at more often than it is to be`() throws {
    let path = try folder.write("tokens", "ann act \(Self.digest)\n")
    let file = try TokensFile(path, every: .seconds(3600), folder.logger)
    try folder.write("tokens", "")
    #expect(try file.principal(of: "open sesame").name == "token:ann")
  }
}
