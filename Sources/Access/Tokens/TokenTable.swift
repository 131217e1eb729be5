/// Whose the tokens of a file are: a line for each, `NAME PERMISSIONS SHA256`, blank lines, and comments after `#`.
///
/// A name may have several tokens, with the same permissions or others, so that one is replaced without a pause.
struct TokenTable: Sendable {
  private(set) var principals: [TokenDigest: Principal] = [:]

  /// - Throws: what is wrong with the first bad line, by its number and without anything of what stands there.
  init(_ bytes: [UInt8], path: String) throws(AccessError) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw AccessError("\(path) is not a text in UTF-8.")
    }
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for (index, line) in lines.enumerated() {
      let parts = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
      guard !parts.isEmpty else { continue }
      do throws(AccessError) {
        try add(parts)
      } catch {
        throw AccessError("\(path), line \(index + 1): \(error)")
      }
    }
  }

  /// How many tokens a name has.
  func count(of name: TokenName) -> Int { principals.values.count { $0.name == name.principal } }

  private mutating func add(_ parts: [Substring]) throws(AccessError) {
    guard parts.count == 3 else {
      throw AccessError("A line is NAME PERMISSIONS SHA256, with blanks between them.")
    }
    guard let name = TokenName(String(parts[0])) else { throw AccessError(TokenName.rule) }
    guard let permissions = Permissions(names: parts[1]) else {
      throw AccessError("Permissions are create, act and operate, with commas between them and no blanks.")
    }
    guard let digest = TokenDigest(hex: parts[2]) else {
      throw AccessError("The last part is not a SHA-256 of 64 hexadecimal digits.")
    }
    guard principals[digest] == nil else { throw AccessError("A line before has the same token.") }
    principals[digest] = Principal(name: name.principal, permissions: permissions)
  }
}
