/// A reader of a subset of YAML 1.2.
///
/// Plain scalars follow the core schema. There are no anchors, aliases, merge keys, tags and further documents, every
/// key is a text that occurs once in its mapping, and every number is one of JSON. JSON texts are such files too.
package enum YAMLReader {
  /// The maximum size of a file: 1 MiB.
  package static let maximumSize = 1 << 20

  /// The maximum number of levels of sequences and mappings.
  package static let maximumDepth = 32

  /// The maximum number of faults that the reader reports, before a last one that says that there are others.
  static let maximumFaultCount = 100

  /// Reads the bytes of a file.
  ///
  /// - Parameter file: the path for the locations of faults.
  /// - Returns: the root, or nil for a file that cannot be read to its end, and the faults in the order of the file. A
  ///   syntax error is the last. With faults, the root helps to find the other faults of the file only.
  package static func read(
    _ bytes: [UInt8], file: String, as dialect: YAMLDialect = .flow
  ) -> (node: YAMLNode?, faults: [YAMLFault]) {
    guard bytes.count <= maximumSize else {
      let start = SourceMark(file: file, line: 1, column: 1)
      let message = "The file has \(bytes.count) bytes, more than the maximum of \(maximumSize) (1 MiB). Divide it."
      return (nil, [YAMLFault(start, message)])
    }
    do throws(YAMLFault) {
      let source = try YAMLSource.decode(bytes, file: file, dialect)
      var builder = YAMLBuilder(source)
      let node = builder.document()
      return (node, builder.faults)
    } catch {
      return (nil, [error])
    }
  }
}
