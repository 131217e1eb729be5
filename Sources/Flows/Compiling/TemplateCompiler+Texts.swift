internal import CEL
internal import Languages
internal import Navigation
internal import Values
internal import YAML

// Texts for people.
extension TemplateCompiler {
  /// Compiles a text that cannot depend on values; nil without one.
  func fixedText(_ model: TextModel?) -> Text? {
    guard let model, !model.node.isInvalid, !model.node.isNull else { return nil }
    let node = model.node
    if node.expression != nil {
      fault(node.mark, "This text cannot be an expression. Write a literal, or a key of texts/.")
      return nil
    }
    guard case .fixed(let text)? = text(model, ScopeTypes()) else {
      if node.entries != nil {
        fault(node.mark, "This text cannot depend on values. Write a text without expressions.")
      }
      return nil
    }
    return text
  }

  /// Compiles the title of a declaration, which cannot depend on values.
  func fixedTitle(_ model: TextModel?, of name: YAMLKey) -> Text {
    fixedText(model) ?? defaultTitle(model, of: name)
  }

  /// Compiles the title of a declaration.
  func title(_ model: TextModel?, of name: YAMLKey, _ types: ScopeTypes) -> TextTemplate {
    text(model, types) ?? .fixed(defaultTitle(model, of: name))
  }

  /// Returns the title that a name stands for, which has no language.
  private func defaultTitle(_ model: TextModel?, of name: YAMLKey) -> Text {
    let title = name.name.asTitle
    if model == nil, texts.hasSeveralLanguages {
      warn(
        name.mark,
        "People read the title “\(title)” in every language, because \(name.name) has none of its own. Add a title with a "
          + "key of texts/.")
    }
    return Text(title)
  }

  /// Compiles a text; nil without one.
  func text(_ model: TextModel?, _ types: ScopeTypes) -> TextTemplate? {
    switch model?.content {
    case .scalar: return (model?.node).flatMap { scalarText($0, types) }
    case .key(let key?, let arguments): return text(key, arguments, types)
    case .money(let model): return money(model, types)
    case .date(let date?):
      return made(date, types, "a date such as 2026-11-26") { CalendarDate($0).map { .date($0) } }
    case .dateTime(let moment?):
      return made(moment, types, "a time such as 2026-11-26T09:30:00+01:00") {
        OffsetDateTime($0).map { .dateTime($0) }
      }
    case .choice(let value?): return title(of: value, types)
    case .key, .date, .dateTime, .choice, nil: return nil
    }
  }

  private func scalarText(_ node: YAMLNode, _ types: ScopeTypes) -> TextTemplate? {
    if node.expression != nil {
      guard let expression = expression(node, types, expecting: .string) else { return nil }
      return .made { Text(try expression.string($0) ?? "") }
    }
    guard let literal = node.literal else { return nil }
    if isKey(literal) {
      if texts.catalogue?.hasText(literal) != true, isValue(literal, types) {
        fault(node.mark, "There is no text \(literal.shortened). Did you mean =\(literal)?")
        return .fixed(Text(literal))
      }
      checkKey(YAMLKey(name: literal, mark: node.mark), arguments: [])
      return .fixed(Text(key: literal))
    }
    checkLiteral(literal, at: node.mark, types)
    checkMistypedKey(literal, at: node.mark)
    return .fixed(Text(literal))
  }

  /// Warns about a text that looks like an expression.
  func checkLiteral(_ text: String, at mark: SourceMark, _ types: ScopeTypes) {
    var source = Substring(text)
    for (start, end) in [("${", "}"), ("{{", "}}"), ("{", "}")] where source.hasPrefix(start) && source.hasSuffix(end) {
      source = source.dropFirst(start.count).dropLast(end.count)
      break
    }
    let path = String(source.filter { $0 != " " })
    let parts = path.split(separator: ".", omittingEmptySubsequences: false)
    guard let variable = parts.first.map({ String($0) }), types.variables[variable] != nil,
      parts.allSatisfy({ $0.isVariableName })
    else { return checkPlaceholders(in: text, at: mark, types) }
    // A text such as item.png is what it seems to be.
    if source.count == text.count, parts.count == 1 || !isValue(path, types) { return }
    warn(mark, "The value is the text \(text.shortened), and not a value of \(variable). Did you mean =\(path)?")
  }

  /// Warns about placeholders within a text, which only the texts of `texts/` have.
  private func checkPlaceholders(in text: String, at mark: SourceMark, _ types: ScopeTypes) {
    for index in text.indices where text[index] == "{" {
      // Longer ones are rare, and a text has up to a million braces.
      let rest = text[index...].prefix(100).drop { $0 == "{" || $0 == " " }
      let path = rest.prefix { $0 != "}" && $0 != " " }
      guard let variable = path.split(separator: ".").first, types.variables[String(variable)] != nil,
        rest.dropFirst(path.count).drop(while: { $0 == " " }).first == "}"
      else { continue }
      return warn(
        mark, "Only the texts of texts/ have placeholders. Write an expression, such as =\"…\" + \(path).")
    }
  }

  /// Returns whether a text is the path of a value.
  private func isValue(_ path: String, _ types: ScopeTypes) -> Bool {
    (try? CEL.Program(path, in: environment(types, for: path))) != nil
  }

  /// Returns whether a text is a key of `texts/`: words of lower-case letters, digits and hyphens with dots.
  private func isKey(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count > 1
      && parts.allSatisfy { part in
        part.utf8.first.map { (0x61...0x7A).contains($0) } ?? false
          && part.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0.isASCIIDigit || "-_".utf8.contains($0) }
      }
  }

  /// Warns about a literal that is nearly a key, such as `Home.title` or `home_title`, where texts have languages.
  private func checkMistypedKey(_ text: String, at mark: SourceMark) {
    let hasShapeOfKey =
      text.utf8.allSatisfy { $0.isASCIILetterOrDigit || "._-/:".utf8.contains($0) }
      && text.dropFirst().dropLast().utf8.contains { "._-/:".utf8.contains($0) }
    guard hasShapeOfKey, texts.hasSeveralLanguages, let catalogue = texts.catalogue else { return }
    guard let key = similar(text.lowercased(), among: catalogue.keys) else { return }
    usedTexts.insert(key)
    warn(mark, "People read the text \(text.shortened) in every language. Did you mean the key \(key)?")
  }

  /// Compiles a label that is the key of a mapping.
  func label(_ key: YAMLKey) -> TextTemplate? {
    guard isKey(key.name) else { return .fixed(Text(key.name)) }
    checkKey(key, arguments: [])
    return .fixed(Text(key: key.name))
  }

  private func checkKey(_ key: YAMLKey, arguments: [YAMLKey]) {
    if key.name.hasPrefix("=") {
      return fault(key.mark, "The value is an expression, where a key of texts/ is expected.")
    }
    usedTexts.insert(key.name)
    if texts.isUnknown || texts.faultyKeys.contains(key.name) { return }
    let name = key.name.shortened
    let literal = "write the literal =\"\(key.name)\""
    guard let catalogue = texts.catalogue else {
      return fault(
        key.mark, "There is no text \(name), because the flow has no texts. Add texts/en.yaml, or \(literal).")
    }
    guard catalogue.hasText(key.name) else {
      let advice = advice(for: key.name, among: catalogue.keys, or: "Add it to texts/, or \(literal).")
      return fault(key.mark, "There is no text \(name). \(advice)")
    }
    let needed = catalogue.argumentNames(of: key.name)
    let unknown = arguments.filter { !needed.contains($0.name) }
    for name in needed.subtracting(arguments.map(\.name)).sorted()
    where !unknown.contains(where: { similar($0.name, among: [name]) != nil }) {
      fault(key.mark, "The text \(key.name) needs the argument \(name). Add it under with.")
    }
    for argument in arguments where !needed.contains(argument.name) {
      let advice = advice(for: argument.name, among: needed, or: "Remove the argument.")
      fault(argument.mark, "The text \(key.name) has no placeholder {\(argument.name)}. \(advice)")
    }
  }

  private func text(_ key: YAMLKey, _ arguments: YAMLNode?, _ types: ScopeTypes) -> TextTemplate {
    var templates: [NamedTemplate] = []
    var keyed: [(name: String, text: TextTemplate)] = []
    let plurals = texts.catalogue?.pluralArgumentNames(of: key.name) ?? []
    for entry in arguments?.entries ?? [] {
      if entry.value.entries != nil || entry.value.literal.map({ isKey($0) }) ?? false,
        let text = text(TextModel(entry.value), types)
      {
        keyed.append((entry.key.name, text))
      } else {
        templates.append(member(entry, types, expecting: plurals.contains(entry.key.name) ? .int : .dyn))
      }
    }
    checkKey(key, arguments: (arguments?.entries ?? []).map(\.key))
    let name = key.name
    let constants: [(String, TextArguments.Value)] =
      templates.compactMap { argument in argument.template.constant.map { (argument.name, .init($0)) } }
      + keyed.compactMap { argument in argument.text.fixed.map { (argument.name, .text($0)) } }
    if constants.count == templates.count + keyed.count { return .fixed(Text(key: name, TextArguments(constants))) }
    return .made { [templates, keyed] scope in
      var members: [(String, TextArguments.Value)] = []
      for member in templates {
        members.append((member.name, TextArguments.Value(try member.template.value(scope))))
      }
      for member in keyed { members.append((member.name, .text(try member.text.text(scope)))) }
      return Text(key: name, TextArguments(members))
    }
  }

  private func money(_ model: MoneyModel, _ types: ScopeTypes) -> TextTemplate? {
    guard let amount = model.amount else { return nil }
    let template = template(amount, types, expecting: .int, "money")
    let decimals = Int(model.decimals)
    guard let node = model.currency, let currency = string(node, types) else { return nil }
    if let code = node.literal, !Self.isCurrency(code) {
      let advice = "Use a code such as EUR (ISO 4217)."
      fault(node.mark, "The currency \(code.shortened) is not valid. \(advice)")
    }
    return .made { scope in
      let code = try currency.value(scope).text ?? ""
      let money = Text.money(Int(try template.value(scope).int ?? 0), currency: code, decimals: decimals)
      // Data may have any text here. People read it as it is.
      return Self.isCurrency(code) ? money : Text(money.string)
    }
  }

  /// Compiles the title of a value that is a choice.
  private func title(of node: YAMLNode, _ types: ScopeTypes) -> TextTemplate? {
    guard let source = node.expression else {
      fault(node.mark, "The value is \(node.kindName), where an expression that begins with = is expected.")
      return nil
    }
    guard let expression = expression(node, types) else { return nil }
    let schema = expression.program.path.flatMap { schemas.schema(at: $0, types) }
    guard let titles = schema.flatMap({ schemas.titles(of: $0) }) else {
      fault(
        node.mark,
        schema == nil
          ? "A title is that of a declared value. Write its path, such as =order.kind."
          : "The schema of \(source) has no choices with titles. Add oneOf with const and title, or show the value.")
      return nil
    }
    @Sendable func title(of value: Value) -> Text { titles[value] ?? Text(value.fieldText) }
    return .made { scope in
      let value = try expression.value(scope)
      return value.kind == .array ? Text(list: value.elements.map { title(of: $0) }) : title(of: value)
    }
  }

  private static func isCurrency(_ code: String) -> Bool {
    code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
  }

  private func made(
    _ node: YAMLNode, _ types: ScopeTypes, _ noun: String, _ make: @escaping @Sendable (String) -> Text?
  ) -> TextTemplate? {
    guard let template = string(node, types) else { return nil }
    if let constant = template.constant?.text, make(constant) == nil {
      fault(node.mark, "The text \(constant.quotedForMessage) is not \(noun). Write one.")
    }
    return .made { scope in
      let text = try template.value(scope).text ?? ""
      // Data may have any text here. People read it as it is.
      return make(text) ?? Text(text)
    }
  }

  /// Returns the URL of the picture of the app.
  func image(_ node: YAMLNode?) -> String? {
    guard let node, let source = fixedString(node) else { return nil }
    let isPrintable = source.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    let start = source.prefix(11).lowercased()
    let isAllowed = ["https://", "http://", "data:image/", "/"].contains {
      start.hasPrefix($0) && source.utf8.count > $0.utf8.count
    }
    if !isPrintable || !isAllowed {
      fault(
        node.mark,
        "The image is not valid. Use an http:, https: or data:image/ URL, or a path that starts with /.")
    }
    return source
  }

  /// Returns a string that is not shown to users, and cannot be an expression.
  func fixedString(_ node: YAMLNode?) -> String? {
    if let node, node.expression != nil {
      fault(node.mark, "The value is an expression, where a literal is expected.")
    }
    return node?.literal
  }

  /// Compiles a string that is not shown to users, such as a URL.
  func string(_ node: YAMLNode, _ types: ScopeTypes, expecting type: CEL.ValueType = .string) -> Template? {
    node.text == nil ? nil : template(node, types, expecting: type, "The value")
  }
}

extension TextArguments.Value {
  fileprivate init(_ value: Value) {
    switch value.kind {
    case .integer: self = .integer(Int(value.int ?? 0))
    case .double: self = .number(value.double ?? 0)
    default: self = .text(value.fieldText)
    }
  }
}

extension String {
  /// Whether an expression can use the name of a field.
  var isFieldName: Bool {
    (utf8.first.map { (0x61...0x7A).contains($0) } ?? false) && utf8.allSatisfy(\.isASCIILetterOrDigit)
  }
}

extension Substring {
  /// Whether the text is the name of a variable or of a field.
  var isVariableName: Bool {
    guard let first else { return false }
    return (first.isLetter || first == "_") && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
  }
}
