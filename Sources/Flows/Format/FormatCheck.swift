/// A check of a file against the tables of ``FlowFormat``: keys that do not exist, keys that are missing, and values of
/// the wrong kind. The names and expressions in the values are checked later.
struct FormatCheck {
  private(set) var faults: [FlowFault] = []

  /// - Parameters:
  ///   - subject: the value in messages, such as `title`.
  ///   - place: the place for faults of a whole object: its key.
  mutating func check(_ node: YAMLNode, _ format: FormatValue, _ subject: String, at place: SourceMark? = nil) {
    if node.isInvalid { return }
    switch format {
    case .text: checkText(node, subject)
    case .string, .name, .duration, .choice: checkPlainText(node, format, subject)
    case .expression(let type):
      if node.expression == nil, type != "any" {
        fault(node, "\(subject) is an expression that begins with =, and not \(node.kindName).")
      }
    case .value, .schema: break
    case .fields, .inputs: checkFields(node, subject)
    case .boolean:
      if node.boolean == nil { fault(node, "\(subject) is true or false, and not \(node.kindName).") }
    case .integer(let range):
      guard let number = node.integer else {
        return fault(node, "\(subject) is a whole number, and not \(node.kindName).")
      }
      if !range.contains(number) { fault(node, "\(subject) is from \(range.lowerBound) to \(range.upperBound).") }
    case .commands: checkVariants(node, FlowFormat.commands, "command", "list of commands", subject)
    case .blocks: checkVariants(node, FlowFormat.blocks, "block", "list of blocks", subject)
    case .object(let object): checkObject(node, object, subject, at: place)
    case .map(let keys, let value): checkMap(node, keys, value, subject)
    case .list(let value):
      guard let elements = node.elements else { return fault(node, "\(subject) is a list, and not \(node.kindName).") }
      for element in elements { check(element, value, "An element of \(subject)") }
    case .either(let formats):
      guard let fitting = formats.first(where: { $0.fits(node) }) else {
        let kinds = formats.map(\.kindName).joined(separator: " or ")
        return fault(node, "\(subject) is \(kinds), and not \(node.kindName).")
      }
      check(node, fitting, subject, at: place)
    case .null:
      if !node.isNull { fault(node, "\(subject) takes no value. Remove it.") }
    }
  }

  private mutating func fault(_ node: YAMLNode, _ message: String) { faults.append(FlowFault(node.mark, message)) }

  private mutating func checkPlainText(_ node: YAMLNode, _ format: FormatValue, _ subject: String) {
    guard let text = node.text else { return fault(node, "\(subject) is a text, and not \(node.kindName).") }
    switch format {
    case .choice(let choices) where !choices.contains(text):
      let advice = nearest(text, among: choices).map { "Did you mean \($0)?" } ?? "Write \(choices.listed)."
      fault(node, "\(subject) cannot be \(text.quotedForMessage). \(advice)")
    case .duration where FlowDuration.range(text) == nil && node.expression == nil:
      fault(node, "\(subject) is no duration. Write a number and a unit, such as 200ms, 3s, 15m, 2h or 1d.")
    default: break
    }
  }

  private mutating func checkText(_ node: YAMLNode, _ subject: String) {
    if node.text != nil { return }
    guard let entries = node.entries, !entries.isEmpty else {
      return fault(node, "\(subject) is a text, and not \(node.kindName).")
    }
    checkVariant(node, FlowFormat.texts, "text", "form of a text")
  }

  private mutating func checkFields(_ node: YAMLNode, _ subject: String) {
    guard let entries = node.entries else {
      return fault(node, "\(subject) is a mapping of names to schemas, and not \(node.kindName).")
    }
    for entry in entries {
      checkIdentifier(entry.key)
      if entry.value.entries == nil, !entry.value.isInvalid {
        fault(entry.value, "The schema of \(entry.key.name) is a mapping, such as {type: string}.")
      }
    }
  }

  private mutating func checkMap(_ node: YAMLNode, _ keys: String, _ value: FormatValue, _ subject: String) {
    guard let entries = node.entries else {
      return fault(node, "\(subject) is a mapping, and not \(node.kindName).")
    }
    for entry in entries {
      switch keys {
      case "PATH", "LABEL", "ARGUMENT": break
      case "SERVICE.OPERATION", "ACTION": break
      case "STATE", "PROPERTY", "PARAMETER", "FIELD": checkIdentifier(entry.key)
      case "NAME" where value.isValue: checkIdentifier(entry.key)
      default: checkName(entry.key)
      }
      check(entry.value, value, entry.key.name, at: entry.key.mark)
    }
  }

  /// Requires a name of an app, such as `sign-in`.
  private mutating func checkName(_ key: YAMLKey) {
    let isPlain = key.name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }
    guard key.name.isEmpty || key.name.utf8.count > 64 || !isPlain else { return }
    let message = "A name has lower-case letters, digits and hyphens, and at most 64 characters."
    faults.append(FlowFault(key.mark, "The name \(key.name.quotedForMessage) is not valid. \(message)"))
  }

  /// Requires a name that expressions can use, such as `orderId`.
  private mutating func checkIdentifier(_ key: YAMLKey) {
    let bytes = Array(key.name.utf8)
    let isPlain = bytes.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_")
    }
    guard !isPlain || bytes.count > 64 || bytes.first.map({ (0x30...0x39).contains($0) }) ?? true else { return }
    let message = "It has letters and digits, and begins with a letter, such as orderId."
    faults.append(
      FlowFault(key.mark, "The name \(key.name.quotedForMessage) cannot be used in expressions. \(message)"))
  }

  // MARK: Objects

  private mutating func checkObject(
    _ node: YAMLNode, _ object: FormatObject, _ subject: String, at place: SourceMark?
  ) {
    guard let entries = node.entries else {
      return fault(node, "\(subject) is a mapping, and not \(node.kindName).")
    }
    for entry in entries {
      guard let key = object[entry.key.name] else {
        unknownKey(entry.key, object)
        continue
      }
      check(entry.value, key.value, key.name, at: entry.key.mark)
    }
    for key in object.keys where key.isRequired && node[key.name] == nil {
      faults.append(FlowFault(place ?? node.mark, "\(subject.capitalizedStart) has no \(key.name). Add it."))
    }
  }

  private mutating func unknownKey(_ key: YAMLKey, _ object: FormatObject) {
    let names = object.keys.map(\.name)
    let advice =
      nearest(key.name, among: names).map { "Did you mean \($0)?" } ?? "The keys are \(names.joined(separator: ", "))."
    faults.append(FlowFault(key.mark, "There is no key \(key.name) in \(object.name.withArticle). \(advice)"))
  }

  // MARK: Variants

  private mutating func checkVariants(
    _ node: YAMLNode, _ variants: [FormatObject], _ noun: String, _ list: String, _ subject: String
  ) {
    guard let elements = node.elements else {
      return fault(node, "\(subject) is a \(list), and not \(node.kindName). Begin each with a hyphen.")
    }
    for element in elements where !element.isInvalid {
      if let verb = element.text, noun == "command" {
        checkPlainCommand(element, verb)
      } else if element.entries?.isEmpty ?? true {
        fault(element, "A \(noun) is a mapping, and not \(element.kindName).")
      } else {
        checkVariant(element, variants, noun, noun)
      }
    }
  }

  /// Checks a command that is its verb alone.
  private mutating func checkPlainCommand(_ node: YAMLNode, _ verb: String) {
    guard let object = FlowFormat.commands.first(where: { $0.name == verb }) else {
      return unknownVariant(YAMLKey(name: verb, mark: node.mark), FlowFormat.commands, "command")
    }
    if !object.keys[0].value.mayBeAbsent { fault(node, "The command \(verb) needs a value, as in `\(verb): …`.") }
  }

  /// Checks an object whose first key says which one it is.
  private mutating func checkVariant(_ node: YAMLNode, _ variants: [FormatObject], _ noun: String, _ kind: String) {
    guard let entries = node.entries, let first = entries.first else { return }
    let names = Set(variants.map(\.name))
    // Forgives another order, but not a second verb.
    guard
      let entry = entries.first(where: { $0.key.name == first.key.name && names.contains($0.key.name) })
        ?? entries.first(where: { names.contains($0.key.name) }),
      let object = variants.first(where: { $0.name == entry.key.name })
    else { return unknownVariant(first.key, variants, kind) }
    checkObject(node, object, noun == "command" ? "The command \(object.name)" : "The \(noun) \(object.name)", at: nil)
  }

  private mutating func unknownVariant(_ key: YAMLKey, _ variants: [FormatObject], _ noun: String) {
    let names = variants.map(\.name)
    let advice =
      nearest(key.name, among: names).map { "Did you mean \($0)?" }
      ?? "There are \(names.joined(separator: ", "))."
    faults.append(FlowFault(key.mark, "There is no \(noun) \(key.name). \(advice)"))
  }
}

extension FormatValue {
  fileprivate var isValue: Bool { if case .value = self { true } else { false } }

  /// Whether the node is of the kind of this value.
  fileprivate func fits(_ node: YAMLNode) -> Bool {
    switch self {
    case .text: node.text != nil || node.entries != nil
    case .string, .name, .choice: node.text != nil
    case .duration: node.text != nil && node.expression == nil
    case .expression: node.expression != nil
    case .value: true
    case .schema, .fields, .inputs, .object, .map: node.entries != nil
    case .boolean: node.boolean != nil
    case .integer: node.integer != nil
    case .commands, .blocks, .list: node.elements != nil
    case .either(let formats): formats.contains { $0.fits(node) }
    case .null: node.isNull
    }
  }

  fileprivate var kindName: String {
    switch self {
    case .text, .string, .choice: "a text"
    case .name(let kind): "the name of \(kind.withArticle)"
    case .duration: "a duration such as 15m"
    case .expression: "an expression that begins with ="
    case .value: "a value"
    case .schema, .fields, .inputs, .map: "a mapping"
    case .boolean: "true or false"
    case .integer: "a whole number"
    case .commands: "a list of commands"
    case .blocks: "a list of blocks"
    case .object(let object): "a mapping of \(object.name.withArticle)"
    case .list: "a list"
    case .either(let formats): formats.map(\.kindName).joined(separator: " or ")
    case .null: "empty"
    }
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
