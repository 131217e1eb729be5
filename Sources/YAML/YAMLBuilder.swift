/// The construction of the nodes of a file from the events of libyaml.
struct YAMLBuilder {
  private let source: YAMLSource
  private let parser: LibYAMLParser
  /// The faults of all tokens, and of the nodes so far.
  private var found: [YAMLFault]
  /// The fault that ended the reading, and whether the check of tokens has found it too.
  private var last: (fault: YAMLFault, isKnown: Bool)?
  private var depth = 0
  /// The end of an expression that a comma in braces or brackets divides. Its other parts are not items.
  private var dividedEnd = 0

  init(_ source: YAMLSource) {
    let check = YAMLTokenCheck(source)
    self.source = source
    parser = LibYAMLParser(check.input)
    found = check.faults
  }

  /// The end of the reading at the fault `last`.
  private struct Ended: Error {}

  /// Builds the root. Returns nil if the document cannot be read to its end.
  mutating func document() -> YAMLNode? {
    do throws(Ended) {
      // The starts of the stream and of the document come before the root.
      guard try next() != nil, try next() != nil, let first = try next() else { throw end(at: 0, Self.empty) }
      if case .scalar("", .plain) = first.kind, first.range.isEmpty { throw end(at: 0, Self.empty) }
      let root = try node(first)
      // The end of the document comes after it.
      guard try next() != nil, let other = try next() else { return root }
      let rule = "\(source.dialect.file) has one document. Remove the text from here on."
      throw end(at: other.range.lowerBound, rule)
    } catch {
      return nil
    }
  }

  /// The faults in the order of the file, up to the one that ended the reading.
  var faults: [YAMLFault] {
    var faults = found
    if let last {
      faults.removeAll { $0.mark > last.fault.mark }
      if !last.isKnown { faults.append(last.fault) }
    }
    faults.sort { $0.mark < $1.mark }
    let limit = YAMLReader.maximumFaultCount
    guard faults.count > limit else { return faults }
    let rule = "There are more than \(limit) faults. Correct those before this place first."
    return faults.prefix(limit) + [YAMLFault(faults[limit].mark, rule)]
  }

  private mutating func end(at index: Int, _ rule: String) -> Ended {
    last = (source.fault(at: index, rule), false)
    return Ended()
  }

  /// Returns the next event, or nil after the last.
  private mutating func next() throws(Ended) -> LibYAMLEvent? {
    do throws(LibYAMLError) {
      return try parser.event()
    } catch {
      let fault = YAMLSyntaxError(source: source, error: error).fault
      // libyaml also refuses some of the tags and directives that the check of tokens has refused.
      let isKnown = fault.mark < source.mark(at: dividedEnd) || found.contains { $0.mark == fault.mark }
      last = (fault, isKnown)
      throw Ended()
    }
  }
}

// MARK: - Nodes

extension YAMLBuilder {
  private mutating func node(_ event: LibYAMLEvent) throws(Ended) -> YAMLNode {
    let start = event.range.lowerBound
    switch event.kind {
    case .scalar(let text, .plain) where !source.dialect.hasTypes:
      return YAMLNode(.string(text, .plain), event.range, in: source)
    case .scalar(_, .plain) where source.dividedEnd(ofExpression: event.range) != nil:
      report(start, YAMLSyntaxError.divided)
      dividedEnd = source.dividedEnd(ofExpression: event.range) ?? 0
      return YAMLNode(.invalid, event.range, in: source)
    case .scalar(let text, .plain): return YAMLNode(plain(text, start), event.range, in: source)
    case .scalar(let text, let style): return YAMLNode(.string(text, style), event.range, in: source)
    case .sequenceStart:
      var nodes: [YAMLNode] = []
      let end = try collection(start) { builder, event throws(Ended) in
        if try builder.skips(event) { return }
        nodes.append(try builder.node(event))
      }
      return YAMLNode(.sequence(nodes), start..<end, in: source)
    case .mappingStart:
      var entries: [YAMLNode.Entry] = []
      var indices: [String: Int] = [:]
      let end = try collection(start) { builder, event throws(Ended) in
        if try builder.skips(event) {
          if let value = try builder.next() { _ = try builder.skips(value) }
          return
        }
        let key = try builder.key(event, &indices)
        guard let next = try builder.next() else { return }
        if let rest = builder.restOfText(event, before: next) {
          let advice = "Quote a text that contains a comma."
          return builder.report(event.range.lowerBound, "The key … has no value. \(advice)", quoting: rest)
        }
        let value = try builder.node(next)
        if let key { entries.append(YAMLNode.Entry(key: key, value: value)) }
      }
      return YAMLNode(.mapping(entries), start..<end, in: source)
    default: return YAMLNode(.invalid, event.range, in: source)
    }
  }

  private static let empty = "The file is empty. Write its content, or remove it."
  private static let tooDeep =
    "Lists and mappings are nested in more than \(YAMLReader.maximumDepth) levels. Remove levels."

  /// Reads the items of a collection. Returns the index of its end.
  private mutating func collection(
    _ start: Int, item: (inout Self, LibYAMLEvent) throws(Ended) -> Void
  ) throws(Ended) -> Int {
    guard depth < YAMLReader.maximumDepth else { throw end(at: start, Self.tooDeep) }
    depth += 1
    defer { depth -= 1 }
    while let event = try next() {
      if case .collectionEnd = event.kind { return max(start, event.range.upperBound) }
      try item(&self, event)
    }
    return start
  }

  /// Skips a part of an expression that a comma divides. Returns false for any other node.
  private mutating func skips(_ event: LibYAMLEvent) throws(Ended) -> Bool {
    // The value of a key alone is empty, and begins after it.
    guard event.range.lowerBound < dividedEnd || event.range.lowerBound == dividedEnd && event.range.isEmpty else {
      return false
    }
    let known = found
    _ = try node(event)
    found = known
    return true
  }

  /// Returns a key of several words without a colon, which is probably the rest of a text that a comma divides; nil for
  /// any other key.
  private func restOfText(_ key: LibYAMLEvent, before value: LibYAMLEvent) -> String? {
    guard case .scalar(let text, .plain) = key.kind, text.contains(" "), case .scalar("", .plain) = value.kind else {
      return nil
    }
    let end = key.range.upperBound
    return source.text(end..<max(end, value.range.lowerBound)).contains(":") ? nil : text
  }

  /// Resolves a plain scalar.
  private mutating func plain(_ text: String, _ index: Int) -> YAMLNode.Content {
    switch YAMLScalar(text) {
    case .null: return .null
    case .boolean(let flag): return .boolean(flag)
    case .integer(let number): return .integer(number)
    case .double(let number): return .double(number)
    case .string: return .string(text, .plain)
    case .integerOutOfRange:
      let advice = "Write a smaller one, or quote it to make it a text."
      report(index, "The integer … is outside of the range of 64 bits. \(advice)", quoting: text)
    case .doubleOutOfRange:
      let advice = "Write a finite one, or quote it to make it a text."
      report(index, "The number … is not finite. \(advice)", quoting: text)
    }
    return .invalid
  }

  private mutating func report(_ index: Int, _ rule: String, quoting content: String? = nil) {
    found.append(source.fault(at: index, rule, quoting: content?.quotedForMessage))
  }

  /// Reads a key. Returns nil for a key without a name, and for one that occurs again.
  ///
  /// A key of another type keeps its text as its name, so that its value is known under the name that its author meant.
  private mutating func key(_ event: LibYAMLEvent, _ indices: inout [String: Int]) throws(Ended) -> YAMLKey? {
    let start = event.range.lowerBound
    guard case .scalar(let name, let style) = event.kind else {
      switch event.kind {
      case .sequenceStart: report(start, "A key must be a text, not a list.")
      case .mappingStart: report(start, "A key must be a text, not a mapping.")
      default: break
      }
      _ = try node(event)
      return nil
    }
    if style == .plain {
      if name == "<<" {
        let advice = "Replace \"<<\" with the entries that it stands for."
        report(start, "\(source.dialect.files) have no merge keys. \(advice)")
        return nil
      }
      if name.isEmpty {
        report(start, "A key is missing here.")
        return nil
      }
      if source.dialect.hasTypes, let kind = YAMLScalar(name).kindOfKey {
        report(start, "A key must be a text, not \(kind). Quote it: ….", quoting: name)
      }
    }
    // Names are compared like Swift compares texts, so that no two names of a mapping are the same to a dictionary.
    if let first = indices[name] {
      let mark = source.mark(at: first)
      let location = "line \(mark.line), column \(mark.column)"
      report(start, "The key … is already at \(location). Remove or rename one of them.", quoting: name)
      return nil
    }
    indices[name] = start
    return YAMLKey(name: name, mark: source.mark(at: start))
  }
}

extension YAMLScalar {
  /// The type of a key that is not a text, for a message; nil for a text.
  fileprivate var kindOfKey: String? {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .integerOutOfRange: "an integer"
    case .double, .doubleOutOfRange: "a number"
    case .string: nil
    }
  }
}
