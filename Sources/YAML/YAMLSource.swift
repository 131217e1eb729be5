/// The code points of a file, and their locations.
final class YAMLSource: Sendable {
  private let file: String
  let dialect: YAMLDialect
  /// The code points without the byte order mark.
  let codePoints: [Unicode.Scalar]
  /// The index of the first code point of each line.
  let lineStarts: [Int]

  private init(_ codePoints: [Unicode.Scalar], file: String, _ dialect: YAMLDialect) {
    self.file = file
    self.dialect = dialect
    self.codePoints = codePoints
    var starts = [0]
    for index in codePoints.indices {
      let isReturn = codePoints[index] == "\r" && (index + 1 == codePoints.count || codePoints[index + 1] != "\n")
      if isReturn || codePoints[index] == "\n" { starts.append(index + 1) }
    }
    lineStarts = starts
  }

  /// Decodes the bytes of a file.
  ///
  /// - Throws: a fault at the first byte that is not UTF-8.
  static func decode(
    _ bytes: [UInt8], file: String, _ dialect: YAMLDialect
  ) throws(YAMLFault) -> YAMLSource {
    var codePoints: [Unicode.Scalar] = []
    codePoints.reserveCapacity(bytes.count)
    var offset = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var decoder = UTF8()
    var rest = bytes[offset...].makeIterator()
    while true {
      switch decoder.decode(&rest) {
      case .scalarValue(let codePoint):
        codePoints.append(codePoint)
        offset += UTF8.width(codePoint)
      case .emptyInput: return YAMLSource(codePoints, file: file, dialect)
      case .error:
        throw YAMLSource(codePoints, file: file, dialect).fault(
          at: codePoints.count, "The file is not UTF-8: byte \(offset) is 0x…. Save the file as UTF-8.",
          quoting: String(bytes[offset], radix: 16))
      }
    }
  }

  /// Returns the location of a code point. An index past the end is the end of the file.
  func mark(at index: Int) -> SourceMark {
    let index = min(index, codePoints.count)
    let line = line(of: index)
    return SourceMark(file: file, line: line, column: index - lineStarts[line - 1] + 1)
  }

  /// Returns a fault at a code point.
  func fault(at index: Int, _ rule: String, quoting content: String? = nil) -> YAMLFault {
    YAMLFault(mark(at: index), rule, quoting: content)
  }

  /// Returns the code points of a range as they are in the file.
  func text(_ range: Range<Int>) -> String {
    var text = String.UnicodeScalarView()
    text.append(contentsOf: codePoints[range.clamped(to: codePoints.indices)])
    return String(text)
  }

  /// Returns the code point at an index, or nil at the end.
  func codePoint(at index: Int) -> Unicode.Scalar? { index < codePoints.count ? codePoints[index] : nil }

  /// Returns whether only spaces come before a code point on its line.
  func isFirstOnLine(_ index: Int) -> Bool { indentationEnd(of: index) >= index }

  /// Returns the index of the first code point of an index's line that is not a space.
  func indentationEnd(of index: Int) -> Int {
    codePoints[lineStart(of: index)...].firstIndex { $0 != " " } ?? codePoints.count
  }

  /// Returns the index of the first code point of an index's line.
  func lineStart(of index: Int) -> Int { lineStarts[line(of: index) - 1] }

  /// Returns the number of an index's line, from 1.
  private func line(of index: Int) -> Int { lineStarts.partitionPoint { $0 > index } }
}

extension RandomAccessCollection where Index == Int {
  /// Returns the first index whose element has a property that all elements after it have too, or the end.
  func partitionPoint(_ isSecond: (Element) -> Bool) -> Int {
    var (low, high) = (startIndex, endIndex)
    while low < high {
      let middle = low + (high - low) / 2
      if isSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
