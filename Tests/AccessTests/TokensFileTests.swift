import Foundation
import Testing
import Values

@testable import Access

/// Tokens files: their lines, and reloading after a change.
@Suite struct TokensFileTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let digest = Digest256(ofToken: "open sesame").hexadecimal

  private func open(_ text: String) throws -> TokensFile {
    try TokensFile(try folder.write("tokens", text), every: .zero, folder.logger)
  }

  @Test func `a line of the file is the principal of its token`() throws {
    let other = Digest256(ofToken: "other").hexadecimal
    let file = try open(
      "# Our tokens\n\nann create,act \(Self.digest)\r\n\t bob-2.x_Y\toperate \(other.uppercased())  # until May"
    )
    let ann = try file.principal(of: "open sesame")
    #expect(ann == Principal(name: "token:ann", permissions: [.create, .act], subject: "ann"))
    let bob = try file.principal(of: "other")
    #expect(bob == Principal(name: "token:bob-2.x_Y", permissions: .operate, subject: "bob-2.x_Y"))
    for wrong in ["", "open", "open sesame ", Self.digest] {
      #expect(throws: TokenError.invalid) { try file.principal(of: wrong) }
    }
  }

  @Test func `one name may have several tokens`() throws {
    let file = try open("ann act \(Self.digest)\nann create \(Digest256(ofToken: "new").hexadecimal)\n")
    #expect(try file.principal(of: "open sesame").name == file.principal(of: "new").name)
    #expect(try file.principal(of: "new").permissions == .create)
  }

  @Test(arguments: [
    ("ann act", "form NAME PERMISSIONS SHA256"), ("ann act \(digest) x", "form NAME PERMISSIONS SHA256"),
    ("ann create, act \(digest)", "form NAME"), ("änn act \(digest)", "A name is 1 to 64 letters"),
    ("a/b act \(digest)", "A name is"), ("\(String(repeating: "a", count: 65)) act \(digest)", "A name is"),
    ("ann read \(digest)", "Permissions are a list"), ("ann act,, \(digest)", "Permissions are a list"),
    ("ann ACT \(digest)", "Permissions are a list"), ("ann , \(digest)", "Permissions are a list"),
    ("ann act open-sesame", "not a digest"), ("ann act \(digest.dropLast())", "not a digest"),
    ("ann act \(digest)0", "not a digest"), ("ann act +\(digest.dropFirst())", "not a digest"),
    ("ann act \(digest.dropLast())g", "not a digest"),
    ("ann create \(Digest256(ofToken: "old").hexadecimal)", "A previous line has the same token"),
  ])
  func `an invalid line is refused, and the error has its number without its text`(line: String, reason: String) throws
  {
    let path = try folder.write("tokens", "old act \(Digest256(ofToken: "old").hexadecimal)\n# comment\n\(line)\n")
    do {
      _ = try TokensFile(path, folder.logger)
      Issue.record("The file is accepted.")
    } catch {
      #expect(error.description.hasPrefix("\(path), line 3: ") && error.description.contains(reason))
      #expect(!error.description.contains(Self.digest.prefix(8)) && !error.description.contains("sesame"))
      #expect(!error.description.contains("\n"))
    }
  }

  @Test func `a file that is missing or not text is refused`() throws {
    #expect(throws: AccessError.self) { try TokensFile(folder.path("none"), folder.logger) }
    let path = folder.path("bytes")
    try Data([0xFF, 0xFE, 0x0A]).write(to: URL(filePath: path))
    do {
      _ = try TokensFile(path, folder.logger)
      Issue.record("The file is accepted.")
    } catch {
      #expect(error.description == "\(path) is not UTF-8 text. Check that it is a tokens file.")
    }
  }

  @Test func `a changed file is reloaded`() throws {
    let file = try open("ann act \(Self.digest)\n")
    #expect(try file.principal(of: "open sesame").permissions == .act)
    try folder.write("tokens", "ann act,operate \(Self.digest)\n")
    #expect(try file.principal(of: "open sesame").permissions == [.act, .operate])
    try folder.write("tokens", "bob act \(Digest256(ofToken: "new").hexadecimal)\n")
    #expect(throws: TokenError.invalid) { try file.principal(of: "open sesame") }
    #expect(folder.errors.isEmpty)
  }

  @Test(arguments: ["", "\n", "# ann has left\n"])
  func `a file that loses its tokens is logged, and the previous ones stay valid`(text: String) throws {
    let file = try open("ann act \(Self.digest)\n")
    try folder.write("tokens", text)
    for _ in 0..<2 { #expect(try file.principal(of: "open sesame").name == "token:ann") }
    #expect(folder.errors.count == 1)
    #expect(throws: AccessError.self) { try open(text) }
  }

  @Test func `a file that becomes invalid is logged once, and its previous contents stay in effect`() throws {
    let file = try open("ann act \(Self.digest)\n")
    try folder.write("tokens", "nonsense")
    for _ in 0..<3 { #expect(try file.principal(of: "open sesame").name == "token:ann") }
    #expect(folder.errors.count == 1)
    try folder.remove("tokens")
    for _ in 0..<3 { #expect(try file.principal(of: "open sesame").name == "token:ann") }
    #expect(folder.errors.count == 2)
    try folder.write("tokens", "bob act \(Self.digest)\n")
    #expect(try file.principal(of: "open sesame").name == "token:bob")
  }

  @Test func `the file is checked at most once in an interval`() throws {
    let path = try folder.write("tokens", "ann act \(Self.digest)\n")
    let file = try TokensFile(path, every: .seconds(3600), folder.logger)
    try folder.write("tokens", "")
    #expect(try file.principal(of: "open sesame").name == "token:ann")
  }
}
