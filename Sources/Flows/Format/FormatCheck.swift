internal import CEL
internal import Suggestions

/// A check of a file against the tables of ``FlowFormat``: keys that do not exist, keys that are missing, and values of
/// the wrong kind. The names and expressions in the values are checked later.
struct FormatCheck {
  private(set) var faults: [FlowFault] = []
  /// Whether a fault hides declarations or commands, so that others seem to be unused.
  private(set) var hidesContent = false

  /// - Parameters:
  ///   - key: the key of the value, such as `title`.
  ///   - owner: the value as the owner of keys in messages, such as `the screen order`; by default made of its format.
  ///   - place: the place for a key that a mapping lacks: that of its own key.
  mutating func check(
    _ node: YAMLNode, _ format: FormatValue, _ key: String, owner: String? = nil, at place: SourceMark? = nil
  ) {
    if node.isInvalid { return }
    guard format.fits(node) else { return checkMismatch(node, format, key) }
    if format.object?["do"] != nil, let first = node.entries?.first, format.object?[first.key.name] == nil,
      FlowFormat.commands.contains(where: { $0.name == first.key.name })
    {
      // A command without its list.
      return checkMismatch(node, .commands, key)
    }
    switch format {
    case .text where node.entries != nil: checkVariant(node, FlowFormat.texts, "text", "form of a text")
    case .name(let kind) where ["app", "sender"].contains(kind):
      if let name = node.key { checkName(name) }
    case .duration: checkDuration(node, key)
    case .choice(let choices): checkChoice(node, choices, key)
    case .fields, .inputs: checkFields(node, isExternal: key == "parameters")
    case .integer(let range): checkRange(node, range, key)
    case .commands: checkVariants(node, FlowFormat.commands, "command", .commands)
    case .blocks: checkVariants(node, FlowFormat.blocks, "block", .blocks)
    case .object(let object): checkObject(node, object, owner ?? "the \(object.name)", at: place)
    case .map(let keys, let value): checkMap(node, keys, value)
    case .list(let value): for element in node.elements ?? [] { check(element, value, key) }
    case .either(let formats):
      if let fitting = formats.first(where: { $0.fits(node) }) { check(node, fitting, key, owner: owner, at: place) }
    default: break
    }
  }

  private mutating func fault(_ mark: SourceMark, _ message: String, hides: Bool = false) {
    faults.append(FlowFault(mark, message))
    if hides { hidesContent = true }
  }

  private mutating func checkMismatch(_ node: YAMLNode, _ format: FormatValue, _ key: String) {
    if case .null = format { return fault(node.mark, "The command \(key) takes no value. Remove it.") }
    // A text in place of a mapping is one of the choices that are texts.
    if case .either(let formats) = format, let text = node.literal,
      case .choice(let choices)? = formats.first(where: { if case .choice = $0 { true } else { false } })
    {
      return unknownChoice(text, choices, key, node.mark)
    }
    let kind = node.expression == nil ? node.kindName : "an expression"
    let names = (node.elements ?? []).compactMap(\.text)
    let isListOfNames = format.kindName == "a mapping" && names.count == node.elements?.count
    let advice = isListOfNames && !names.isEmpty ? " Write each name as a key, such as \(names[0].shortened):." : ""
    fault(node.mark, "The value is \(kind), where \(format.kindName) is expected.\(advice)", hides: format.hasContent)
  }

  // MARK: Scalars

  private mutating func checkChoice(_ node: YAMLNode, _ choices: [String], _ key: String) {
    guard let text = node.text, !choices.contains(text) else { return }
    unknownChoice(text, choices, key, node.mark)
  }

  private mutating func unknownChoice(_ text: String, _ choices: [String], _ key: String, _ mark: SourceMark) {
    let isLeaving = key == "leave" || key == "leaving"
    let forms = choices.listed + (key == "leave" ? ", or a mapping with the key confirm" : "")
    let advice = nearest(text, among: choices).map { "Did you mean \($0)?" } ?? "Write \(forms)."
    fault(mark, "There is no \(isLeaving ? "leave policy" : key) \(text.shortened). \(advice)")
  }

  private mutating func checkDuration(_ node: YAMLNode, _ key: String) {
    guard let text = node.text, node.expression == nil else { return }
    guard key == "backoff" else {
      if FlowDuration.duration(text) == nil {
        fault(
          node.mark,
          FlowDuration.isTooLong(text)
            ? "The duration \(text.shortened) is longer than ten years. Write at most 3650d."
            : "The duration \(text.shortened) is not valid. Write a number and a unit, such as 200ms, 3s, 15m, 2h or 1d."
        )
      }
      return
    }
    guard let range = FlowDuration.range(text) else {
      return fault(node.mark, "The pauses \(text.shortened) are not valid. Write two durations, such as 200ms..30s.")
    }
    if range.first > range.last {
      fault(node.mark, "The first pause is greater than the longest one. Write the smaller one first.")
    }
  }

  private mutating func checkRange(_ node: YAMLNode, _ range: ClosedRange<Int64>, _ key: String) {
    guard let number = node.integer, !range.contains(number) else { return }
    if key == "usher" {
      return fault(
        node.mark,
        "The format \(number) is unknown. This version of Usher reads the format \(FlowFormat.version).", hides: true)
    }
    let bound =
      number < range.lowerBound
      ? "less than the minimum of \(range.lowerBound)" : "greater than the maximum of \(range.upperBound)"
    fault(node.mark, "The number \(number) is \(bound). Write another one.")
  }

  // MARK: Mappings

  private mutating func checkFields(_ node: YAMLNode, isExternal: Bool) {
    for entry in node.entries ?? [] {
      checkIdentifier(entry.key, isExternal: isExternal)
      check(entry.value, .schema, entry.key.name)
    }
  }

  private mutating func checkMap(_ node: YAMLNode, _ keys: String, _ value: FormatValue) {
    for entry in node.entries ?? [] {
      switch keys {
      case "SERVICE", "OPERATION": checkName(entry.key)
      case "NAME" where !value.isValue: checkName(entry.key)
      case "PROPERTY" where !value.isValue: checkIdentifier(entry.key, isExternal: false)
      // The other keys are names of something that is declared elsewhere, or any texts.
      default: break
      }
      var owner: String?
      if let object = value.object { owner = "the \(object.name) \(entry.key.name)" }
      check(entry.value, value, entry.key.name, owner: owner, at: entry.key.mark)
    }
  }

  /// Requires a name of an app, such as `sign-in`.
  private mutating func checkName(_ key: YAMLKey) {
    let isPlain = key.name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }
    guard key.name.isEmpty || key.name.utf8.count > 64 || !isPlain else { return }
    fault(
      key.mark, "The name \(key.name.shortened) is not valid. Use 1 to 64 lower-case letters, digits and hyphens.")
  }

  /// Requires a name that expressions can use, such as `orderId`.
  ///
  /// - Parameter isExternal: whether a service decides on the name, which may be `order_id` too.
  private mutating func checkIdentifier(_ key: YAMLKey, isExternal: Bool) {
    let bytes = Array(key.name.utf8)
    let isPlain = bytes.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || isExternal && byte == UInt8(ascii: "_")
    }
    let isStart = bytes.first.map { (0x61...0x7A).contains(isExternal ? $0 | 0x20 : $0) } ?? false
    if !isPlain || !isStart || bytes.count > 64 {
      let advice =
        isExternal
        ? "Begin it with a letter, and use letters, digits and underscores only."
        : "Begin it with a lower-case letter, and use letters and digits only."
      return fault(key.mark, "The name \(key.name.shortened) is not valid. \(advice)")
    }
    if !isExternal, CEL.reservedWords.contains(key.name) {
      fault(key.mark, "The name \(key.name) is a reserved word of expressions. Choose another one.")
    }
  }

  // MARK: Objects

  private mutating func checkObject(
    _ node: YAMLNode, _ object: FormatObject, _ owner: String, at place: SourceMark?, isVariant: Bool = false
  ) {
    for entry in node.entries ?? [] {
      guard let key = object[entry.key.name] else {
        unknownKey(entry.key, object, isVariant ? owner : object.name.withArticle, in: node)
        continue
      }
      check(entry.value, key.value, key.name, at: entry.key.mark)
    }
    for key in object.keys where key.isRequired && node[key.name] == nil {
      // The nearest unknown key is already a fault.
      if node.entries?.contains(where: { object.repair(of: $0.key.name, in: node) == key.name }) ?? false { continue }
      fault(place ?? node.mark, "The key \(key.name) is missing. Add it to \(owner).", hides: true)
    }
  }

  private mutating func unknownKey(_ key: YAMLKey, _ object: FormatObject, _ owner: String, in node: YAMLNode) {
    let names = object.keys.map(\.name)
    let near = object.repair(of: key.name, in: node)
    let advice =
      key.spaceAdvice ?? (near ?? nearest(key.name, among: names)).map { "Did you mean \($0)?" }
      ?? "The keys are \(names.enumerated)."
    fault(
      key.mark, "There is no key \(key.name.shortened) in \(owner). \(advice)",
      hides: near == nil)
  }

  // MARK: Variants

  private mutating func checkVariants(
    _ node: YAMLNode, _ variants: [FormatObject], _ noun: String, _ list: FormatValue
  ) {
    for element in node.elements ?? [] where !element.isInvalid {
      if let verb = element.key, list.isCommands {
        checkPlainCommand(verb)
      } else if element.entries?.isEmpty ?? true {
        let kind = element.kindName == "a mapping" ? "an empty mapping" : element.kindName
        fault(element.mark, "The value is \(kind), where a \(noun) is expected.", hides: true)
      } else {
        checkVariant(element, variants, noun, noun)
      }
    }
  }

  /// Checks a command that is its verb alone.
  private mutating func checkPlainCommand(_ verb: YAMLKey) {
    guard let object = FlowFormat.commands.first(where: { $0.name == verb.name }) else {
      return unknownVariant(verb, FlowFormat.commands, "command")
    }
    if !object.keys[0].value.takesNull {
      fault(verb.mark, "The command \(verb.name) needs a value, as in `\(verb.name): …`.", hides: true)
    }
  }

  /// Checks an object whose first key says which one it is.
  private mutating func checkVariant(_ node: YAMLNode, _ variants: [FormatObject], _ noun: String, _ kind: String) {
    guard let first = node.entries?.first else { return }
    guard let object = FormatObject.variant(of: node, among: variants) else {
      return unknownVariant(first.key, variants, kind)
    }
    let owner = noun == "text" ? "the mapping with \(object.name)" : "the \(noun) \(object.name)"
    checkObject(node, object, owner, at: nil, isVariant: true)
  }

  private mutating func unknownVariant(_ key: YAMLKey, _ variants: [FormatObject], _ noun: String) {
    let names = variants.map(\.name)
    let near = nearest(key.name, among: names)
    let advice = key.spaceAdvice ?? near.map { "Did you mean \($0)?" } ?? "There are \(names.enumerated)."
    fault(key.mark, "There is no \(noun) \(key.name.shortened). \(advice)", hides: near == nil)
  }
}

extension YAMLKey {
  /// The advice to write a space after the colon within a key; nil for a key without one.
  fileprivate var spaceAdvice: String? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    return "Write a space after the colon: \"\(name[...colon]) …\"."
  }
}

extension String {
  /// The word with its indefinite article.
  var withArticle: String { first.map { "aeiou".contains($0) } ?? false ? "an \(self)" : "a \(self)" }

  var capitalizedStart: String { prefix(1).uppercased() + dropFirst() }
}

extension [String] {
  /// The words with commas and `or`.
  var listed: String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) or \(last)"
  }
}
