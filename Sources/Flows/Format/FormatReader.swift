internal import CEL
internal import Suggestions
internal import Values
internal import YAML

/// A reader of a file, which reports keys that do not exist, keys that are missing, and values of the wrong kind. The
/// names and expressions in the values are checked later.
///
/// A wrong key is read as the one that it was probably meant to be, so that it causes no other faults.
final class FormatReader {
  private(set) var faults: [FlowFault] = []
  /// Whether a fault hides declarations or commands, so that others seem to be unused.
  private(set) var hidesContent = false
  /// The first names with characters that expressions read as operators.
  private(set) var invalidNames: Set<String> = []
  /// Whether faults are not reported, because the whole value has one.
  private var isQuiet: Bool
  private let repairs: Bool

  let budget: WorkBudget

  init(_ budget: WorkBudget, isExact: Bool = false) { (isQuiet, repairs, self.budget) = (isExact, !isExact, budget) }

  /// A reader that reads correct keys only, and reports no faults.
  static var exact: FormatReader { FormatReader(WorkBudget(), isExact: true) }

  /// Reads the root of a file; nil for a root that is not a mapping.
  func flow(_ root: YAMLNode) -> FlowModel? {
    read(
      FormatSource(node: root, name: YAMLKey(name: "flow", mark: root.mark), owner: "the flow", reader: self),
      .object(FlowModel.form))
  }

  /// Reads a value.
  func read<Value>(_ source: FormatSource, _ format: Format<Value>) -> Value? {
    isQuiet || accepts(source.node, format.kind, source.name.name)
      ? format.read(source) : quietly { format.read(source) }
  }

  func quietly<Result>(_ read: () -> Result) -> Result {
    let known = isQuiet
    isQuiet = true
    defer { isQuiet = known }
    return read()
  }

  private func fault(_ mark: SourceMark, _ message: String, hides: Bool = false) {
    if isQuiet { return }
    faults.append(FlowFault(mark, message))
    if hides { hidesContent = true }
  }

  // MARK: Kinds

  /// Checks the kind of a value, and a scalar. Returns whether the parts of the value are to be checked too.
  private func accepts(_ node: YAMLNode, _ kind: FormatValue, _ key: String) -> Bool {
    if node.isInvalid { return false }
    guard kind.fits(node) else {
      checkMismatch(node, kind, key)
      return false
    }
    if let table = kind.table, table["do"] != nil, let first = node.entries?.first, table[first.key.name] == nil,
      CommandModel.forms[first.key.name] != nil
    {
      // A command without its list.
      checkMismatch(node, .commands, key)
      return false
    }
    switch kind {
    case .name(let kind) where ["app", "sender"].contains(kind): if let name = node.key { checkName(name) }
    case .duration: checkDuration(node)
    case .pauses: checkPauses(node)
    case .choice(let choices):
      if let text = node.text, !choices.contains(text) { unknownChoice(text, choices, key, node.mark) }
    case .fields, .inputs: checkFields(node, isExternal: key == "parameters")
    case .integer(let range): checkRange(node, range, key)
    case .either(let kinds):
      if let fitting = kinds.first(where: { $0.fits(node) }) { return accepts(node, fitting, key) }
    default: break
    }
    return true
  }

  private func checkMismatch(_ node: YAMLNode, _ kind: FormatValue, _ key: String) {
    if case .null = kind { return fault(node.mark, "The command \(key) takes no value. Remove it.") }
    // A text instead of a mapping is one of the choices that are texts.
    if case .either(let kinds) = kind, let text = node.literal,
      case .choice(let choices)? = kinds.first(where: { if case .choice = $0 { true } else { false } })
    {
      return unknownChoice(text, choices, key, node.mark)
    }
    let found = node.expression == nil ? node.kindName : "an expression"
    let names = (node.elements ?? []).compactMap(\.text)
    let isListOfNames = kind.kindName == "a mapping" && names.count == node.elements?.count
    let advice = isListOfNames && !names.isEmpty ? " Write each name as a key, such as \(names[0].shortened):." : ""
    fault(node.mark, "The value is \(found), where \(kind.kindName) is expected.\(advice)", hides: kind.hasContent)
  }

  // MARK: Scalars

  private func unknownChoice(_ text: String, _ choices: [String], _ key: String, _ mark: SourceMark) {
    let isLeaving = key == "leave" || key == "leaving"
    let forms = choices.listed + (key == "leave" ? ", or a mapping with the key confirm" : "")
    let advice = nearest(text, among: choices).map { "Did you mean \($0)?" } ?? "Write \(forms)."
    fault(mark, "There is no \(isLeaving ? "leave policy" : key) \(text.shortened). \(advice)")
  }

  private func checkDuration(_ node: YAMLNode) {
    guard let text = node.literal, FlowDuration.duration(text) == nil else { return }
    fault(
      node.mark,
      FlowDuration.isTooLong(text)
        ? "The duration \(text.shortened) is longer than ten years. Write at most 3650d."
        : "The duration \(text.shortened) is not valid. Write a number and a unit, such as 200ms, 3s, 15m, 2h or 1d.")
  }

  private func checkPauses(_ node: YAMLNode) {
    guard let text = node.literal else { return }
    guard let range = FlowDuration.pauses(text) else {
      return fault(node.mark, "The pauses \(text.shortened) are not valid. Write two durations, such as 200ms..30s.")
    }
    if range.first > range.last {
      fault(node.mark, "The first pause is greater than the longest one. Write the smaller one first.")
    }
  }

  private func checkRange(_ node: YAMLNode, _ range: ClosedRange<Int64>, _ key: String) {
    guard let number = node.integer, !range.contains(number) else { return }
    if key == "usher" {
      let known = FlowModel.formatVersion
      let message = "The format \(number) is unknown. This version of Usher reads the format \(known)."
      return fault(node.mark, message, hides: true)
    }
    let bound =
      number < range.lowerBound
      ? "less than the minimum of \(range.lowerBound)" : "greater than the maximum of \(range.upperBound)"
    fault(node.mark, "The number \(number) is \(bound). Write another one.")
  }

  // MARK: Names

  private func checkFields(_ node: YAMLNode, isExternal: Bool) {
    for entry in node.entries ?? [] {
      let isFromAddress = entry.value["fromAddress"]?.boolean ?? false
      checkIdentifier(entry.key, isExternal: isExternal || isFromAddress, isVariable: !isExternal)
      _ = accepts(entry.value, .schema, entry.key.name)
    }
  }

  /// Checks a key of a mapping whose keys are not known.
  func checkKey(_ key: YAMLKey, of keys: String, _ value: FormatValue) {
    switch keys {
    case "SERVICE", "OPERATION": checkName(key)
    case "LIST": checkIdentifier(key, isExternal: false)
    case "NAME" where !value.isValue: checkName(key)
    case "PROPERTY" where !value.isValue: checkIdentifier(key, isExternal: false)
    // The other keys are names of something that is declared elsewhere, or any texts.
    default: break
    }
  }

  /// Requires a name of an app, such as `sign-in`.
  private func checkName(_ key: YAMLKey) {
    if let message = key.faultOfName { fault(key.mark, message) }
  }

  /// The number of invalid names for which each faulty expression is searched.
  private static let maximumInvalidNames = 50

  /// Requires a name that expressions can use, such as `orderId`.
  ///
  /// - Parameters:
  ///   - isExternal: whether a service or a tracker decides on the name, which may be `order_id` too.
  ///   - isVariable: whether the name is one of a variable.
  private func checkIdentifier(_ key: YAMLKey, isExternal: Bool, isVariable: Bool = true) {
    let bytes = Array(key.name.utf8)
    let isPlain = bytes.allSatisfy { $0.isASCIILetterOrDigit || isExternal && $0 == UInt8(ascii: "_") }
    let isStart = bytes.first.map { (0x61...0x7A).contains(isExternal ? $0 | 0x20 : $0) } ?? false
    if !isPlain || !isStart || bytes.count > 64 {
      if !isPlain, !isQuiet, invalidNames.count < Self.maximumInvalidNames { invalidNames.insert(key.name) }
      let advice =
        isExternal
        ? "Begin it with a letter, and use letters, digits and underscores only."
        : "Begin it with a lower-case letter, and use letters and digits only."
      return fault(key.mark, "The name \(key.name.shortened) is not valid. \(advice)")
    }
    if isVariable, CEL.reservedWords.contains(key.name) {
      fault(key.mark, "The name \(key.name) is a reserved word of expressions. Choose another one.")
    }
  }

  // MARK: Mappings

  /// Reads a mapping with known keys.
  ///
  /// - Parameter owner: the mapping in messages, such as `the screen order`.
  func object<Model>(_ source: FormatSource, _ form: Form<Model>, _ owner: String, isVariant: Bool = false) -> Model {
    let (node, table) = (source.node, form.table)
    var entries: [Keys.Entry] = []
    for entry in node.entries ?? [] {
      let name = entry.key.name
      if table[name] != nil {
        entries.append(Keys.Entry(name: name, entry: entry, isMisspelt: false))
        continue
      }
      let meant = repairs ? table.repair(of: name, in: node) : nil
      unknownKey(entry.key, table, isVariant ? owner : table.name.withArticle, meant)
      if let meant { entries.append(Keys.Entry(name: meant, entry: entry, isMisspelt: true)) }
    }
    // The nearest unknown key is already a fault.
    for key in table.keys where key.isRequired && !isQuiet && !entries.contains(where: { $0.name == key.name }) {
      let mark = isVariant || source.isElement ? node.mark : source.name.mark
      fault(mark, "The key \(key.name) is missing. Add it to \(owner).", hides: true)
    }
    return form.model(Keys(source.name, at: node.mark, entries, self))
  }

  private func unknownKey(_ key: YAMLKey, _ table: FormatTable, _ owner: String, _ meant: String?) {
    if isQuiet { return }
    let names = table.keys.map(\.name)
    let ownAdvice = key.spaceAdvice ?? table.adviceByKey[key.name]
    let advice =
      ownAdvice ?? (meant ?? nearest(key.name, among: names)).map { "Did you mean \($0)?" }
      ?? "The keys are \(names.enumerated)."
    fault(key.mark, "There is no key \(key.name.shortened) in \(owner). \(advice)", hides: meant == nil)
  }

  // MARK: Variants

  func commands(_ node: YAMLNode) -> [CommandModel] {
    (node.elements ?? []).compactMap { element in
      if let verb = element.key { return command(verb) }
      return variant(element, CommandModel.forms, "command", "command") { "the command \($0)" }
    }
  }

  func blocks(_ node: YAMLNode) -> [BlockModel] {
    (node.elements ?? []).compactMap { variant($0, BlockModel.forms, "block", "block") { "the block \($0)" } }
  }

  func text(_ node: YAMLNode) -> TextModel {
    var content: TextModel.Content?
    if node.entries != nil {
      content = variant(node, TextModel.forms, "text", "form of a text") { "the mapping with \($0)" }
    }
    return TextModel(node: node, content: content ?? .scalar)
  }

  /// Reads a command that is its verb alone.
  private func command(_ verb: YAMLKey) -> CommandModel {
    let forms = CommandModel.forms
    if let form = forms[verb.name] {
      if !form.table.keys[0].value.takesNull {
        fault(verb.mark, "The command \(verb.name) needs a value, as in `\(verb.name): …`.", hides: true)
      }
      return form.empty(verb, at: verb.mark)
    }
    let near = unknownVariant(verb, forms.names, "command")
    return near.flatMap { forms[$0] }?.empty(verb, at: verb.mark) ?? CommandModel(unknown: verb)
  }

  /// Reads a mapping whose first key says which one it is. The key may also stand behind others.
  ///
  /// - Parameters:
  ///   - noun: the mapping in messages.
  ///   - kind: the word for its first key in messages.
  private func variant<Model>(
    _ node: YAMLNode, _ forms: Forms<Model>, _ noun: String, _ kind: String, _ owner: (String) -> String
  ) -> Model? {
    if node.isInvalid { return nil }
    guard let entries = node.entries, let first = entries.first else {
      let found = node.entries == nil ? node.kindName : "an empty mapping"
      fault(node.mark, "The value is \(found), where a \(noun) is expected.", hides: true)
      return nil
    }
    func model(_ node: YAMLNode, _ form: Form<Model>) -> Model {
      let source = FormatSource(node: node, name: first.key, reader: self)
      return object(source, form, owner(form.table.name), isVariant: true)
    }
    if let form = entries.lazy.compactMap({ forms[$0.key.name] }).first { return model(node, form) }
    guard let near = unknownVariant(first.key, forms.names, kind), let form = forms[near] else { return nil }
    let entry = YAMLNode.Entry(key: YAMLKey(name: near, mark: first.key.mark), value: first.value)
    return quietly { model(node.replacing(.mapping([entry] + entries.dropFirst())), form) }
  }

  /// Reports a first key that does not exist. Returns the one that it was probably meant to be.
  private func unknownVariant(_ key: YAMLKey, _ names: [String], _ noun: String) -> String? {
    if !repairs { return nil }
    let near = nearest(key.name, among: names)
    let advice = key.spaceAdvice ?? near.map { "Did you mean \($0)?" } ?? "There are \(names.enumerated)."
    fault(key.mark, "There is no \(noun) \(key.name.shortened). \(advice)", hides: near == nil)
    return near
  }
}

extension YAMLKey {
  /// The fault of a name of an app or of a part of it, such as `sign-in`; nil for a valid one.
  var faultOfName: String? {
    name.isName ? nil : "The name \(name.shortened) is not valid. Use 1 to 64 lower-case letters, digits and hyphens."
  }

  /// The advice to write a space after the colon within a key; nil for a key without one.
  fileprivate var spaceAdvice: String? {
    guard let colon = name.firstIndex(of: ":") else { return nil }
    return "Write a space after the colon: \"\(name[...colon]) …\"."
  }
}

extension String {
  /// The word with its indefinite article.
  var withArticle: String { first.map { "aeiou".contains($0) } ?? false ? "an \(self)" : "a \(self)" }
}

extension [String] {
  /// The words with commas and `or`.
  var listed: String {
    guard let last, count > 1 else { return first ?? "" }
    return "\(dropLast().joined(separator: ", ")) or \(last)"
  }
}
