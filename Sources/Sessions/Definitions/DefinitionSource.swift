package import Navigation
package import Values

/// The files that define an app, such as `flow.yaml` and `texts/en.yaml`, in the order of their paths.
package struct DefinitionSource: Sendable, Equatable {
  package let files: [(path: String, bytes: [UInt8])]
  package let digest: DefinitionDigest

  /// The size of all files in bytes.
  var size: Int { files.reduce(0) { $0 + $1.bytes.count } }

  private static let format: UInt8 = 1

  package init(files: [(path: String, bytes: [UInt8])]) {
    self.files = files.sorted { $0.path < $1.path }
    digest = DefinitionDigest(Digest256(ofParts: self.files.flatMap { [Array($0.path.utf8), $0.bytes] }))
  }

  /// Decodes ``encoded()``.
  ///
  /// - Throws: `ValueError` if the bytes are malformed.
  package init(decoding bytes: [UInt8]) throws(ValueError) {
    var input = ByteReader(bytes)
    let format = try input.byte()
    guard format == Self.format else { throw ValueError(.unsupported(format), offset: 0) }
    let files = try input.list { (input) throws(ValueError) in (try input.sizedText(), try input.sizedBytes()) }
    guard input.isAtEnd else { throw ValueError(.trailingBytes, offset: input.position) }
    self.init(files: files)
  }

  /// The form that stores keep: the number of files and, for each, its path and its bytes, preceded by their sizes.
  package func encoded() -> [UInt8] {
    var out = ByteWriter(capacity: 64 + files.reduce(0) { $0 + $1.path.utf8.count + $1.bytes.count })
    out.append(Self.format)
    out.append(list: files) { file, out in
      out.append(sized: file.path)
      out.append(sized: file.bytes)
    }
    return out.finish()
  }

  /// The digest identifies the files.
  package static func == (a: Self, b: Self) -> Bool { a.digest == b.digest }
}

/// Compiles and registers an app from its files.
///
/// - Throws: an error whose description has a line `file:line:column: error: …` for each fault.
package typealias DefinitionCompiler = @Sendable (DefinitionSource, AppDefinition.Limits) throws -> AppDefinition
