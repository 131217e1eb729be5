/// Searches for the cause of an error, which is often before the place where libyaml notices it.
extension YAMLSource {
  /// Returns the opening quote of a text that goes on over several lines and ends where an index begins, or nil.
  ///
  /// Such a text probably lacks its closing quote, and ends where the next one was to begin.
  func openQuote(endingAt index: Int) -> Int? {
    guard index > 0, index <= codePoints.count, "\"'".unicodeScalars.contains(codePoints[index - 1]) else { return nil }
    return firstOpenQuote(before: lineStart(of: index))
  }

  /// Returns the first quote before an index that has no closing quote on its line, or nil.
  func firstOpenQuote(before end: Int) -> Int? {
    var open: Int?
    var isComment = false
    var isEscaped = false
    for index in codePoints.indices.prefix(end) {
      let mayBegin = index == 0 || " [{,\n\r".unicodeScalars.contains(codePoints[index - 1])
      switch codePoints[index] {
      case "\n", "\r":
        if let open { return open }
        isComment = false
      case _ where isComment || isEscaped: isEscaped = false
      case "\\": isEscaped = open.map { codePoints[$0] == "\"" } ?? false
      case "#" where open == nil && mayBegin: isComment = true
      case "\"" where open == nil && mayBegin, "'" where open == nil && mayBegin: open = index
      case let codePoint: if let quote = open, codePoint == codePoints[quote] { open = nil }
      }
    }
    return nil
  }

  /// Returns the end of an expression without quotes that a comma in braces or brackets divides; nil for any other
  /// scalar.
  ///
  /// - Parameter range: the plain scalar, which ends before the comma.
  func dividedEnd(ofExpression range: Range<Int>) -> Int? {
    guard codePoint(at: range.lowerBound) == "=", let comma = indexAfterSpaces(range.upperBound),
      codePoints[comma] == ","
    else { return nil }
    var depth = 0
    var quote: Unicode.Scalar?
    let line = codePoints[range.lowerBound...].prefix { $0 != "\n" }
    for index in line.indices {
      let codePoint = codePoints[index]
      if let open = quote {
        if codePoint == open { quote = nil }
        continue
      }
      switch codePoint {
      case "\"", "'": quote = codePoint
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      // The comma is outside of the brackets of the expression.
      case "," where depth == 0: return nil
      default: break
      }
      if index > comma, depth <= 0 { return index }
    }
    return depth > 0 ? line.endIndex : nil
  }

  private func indexAfterSpaces(_ index: Int) -> Int? { codePoints[index...].firstIndex { $0 != " " } }

  /// Returns the begin of an expression without quotes that a bracket at an index ends, in a list or mapping on one line.
  func expression(endingAt index: Int) -> Int? {
    guard let bracket = codePoint(at: index), "[{".unicodeScalars.contains(bracket) else { return nil }
    let line = lineStart(of: index)
    let before = codePoints[line..<index].lastIndex { ",{[:".unicodeScalars.contains($0) }
    let start = indexAfterSpaces(before.map { $0 + 1 } ?? line)
    return start.flatMap { codePoints[$0] == "=" ? $0 : nil }
  }

  /// The first line that begins a conflict of a merge, as Git marks it; nil if there is none.
  var mergeConflict: Int? { lineStarts.first { text($0..<($0 + 8)) == "<<<<<<< " } }

  /// Returns the first no-break space on the line of an index, or nil.
  func noBreakSpace(onLineOf index: Int) -> Int? {
    codePoints[lineStart(of: index)...].prefix { $0 != "\n" }.firstIndex(of: "\u{A0}")
  }

  /// The part of a line from its key or its value on.
  struct Content {
    let start: Int
    let column: Int
    let text: String

    var hasKey: Bool { text.contains(": ") || text.hasSuffix(":") }
  }

  /// Returns the content of an index's line before the index.
  func content(before index: Int) -> Content { content(from: lineStart(of: index), to: index) }

  /// Returns the content of the nearest line above that has one, or nil.
  func contentAbove(_ index: Int) -> Content? {
    var end = lineStart(of: index)
    while end > 0 {
      let start = lineStart(of: end - 1)
      let found = content(from: start, to: end)
      if !found.text.isEmpty && !found.text.hasPrefix("#") { return found }
      end = start
    }
    return nil
  }

  private func content(from lineStart: Int, to end: Int) -> Content {
    var start = lineStart
    while start < end, codePoints[start] == " " || codePoints[start] == "-" && codePoint(at: start + 1) == " " {
      start += 1
    }
    var line = text(start..<end)
    if let comment = line.firstRange(of: " #") { line.removeSubrange(comment.lowerBound...) }
    while line.last?.isWhitespace ?? false { line.removeLast() }
    return Content(start: start, column: start - lineStart + 1, text: line)
  }
}
