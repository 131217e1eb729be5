internal import CEL
internal import Navigation
internal import Values
internal import YAML

// The fields of forms.
extension SchemaCompiler {
  /// Compiles the fields of a form.
  ///
  /// - Parameters:
  ///   - isOnScreen: whether the form is that of an action that a screen declares, whose data it may read.
  ///   - isShown: whether people fill in the form, and not only programs.
  ///   - hasAddress: whether a start address may fill in fields.
  func inputSchema(
    _ node: YAMLNode?, isOnScreen: Bool = false, isShown: Bool = false, hasAddress: Bool = false
  ) -> InputSchema {
    var fields: [FieldSchema] = []
    for entry in node?.entries ?? [] where entry.value.entries != nil {
      let field = FieldSource(entry, types: typeNodes)
      if !isOnScreen { checkFormKeywords(field) }
      if !hasAddress { refuseAddress(of: field.node) }
      for keyword in ["when", "refuse", "confirms"] {
        guard let entry = field.node.entry(keyword) else { continue }
        fault(entry.key.mark, "Only a question of a journey has \(keyword). Remove the keyword.")
      }
      if faultySchemas.contains(entry.value.mark) { continue }
      guard let schema = schema(of: field, isShown: isShown) else {
        faultySchemas.insert(entry.value.mark)
        continue
      }
      checkFaults(of: schema, field)
      fields.append(schema)
    }
    return InputSchema(fields: fields)
  }

  /// Requires that no start address fills in a field.
  func refuseAddress(of field: YAMLNode) {
    guard let entry = field.entry("fromAddress") else { return }
    fault(entry.key.mark, "Only the input of the root coordinator has fromAddress. Remove the keyword.")
  }

  /// Compiles a question of a journey.
  func question(_ entry: YAMLNode.Entry) -> FieldSchema? {
    var field = FieldSource(entry, types: typeNodes)
    field.isQuestion = true
    if entry.value.entries == nil || faultySchemas.contains(entry.value.mark) { return nil }
    refuseAddress(of: entry.value)
    if let secret = field["writeOnly"], secret.boolean ?? true {
      fault(secret.mark, "The session keeps each answer, and a secret is not kept. Remove writeOnly.")
      return nil
    }
    let schema = schema(of: field, isShown: true)
    if let schema { checkFaults(of: schema, field) }
    return schema
  }

  /// Returns whether a text depends on values.
  func dependsOnValues(_ text: TextModel) -> Bool {
    guard case .key(_, let arguments?) = text.content else { return text.node.expression != nil }
    return arguments.entries?.contains { $0.value.expression != nil } ?? false
  }

  private func checkFaults(of schema: FieldSchema, _ field: FieldSource) {
    for (path, sentence) in schema.faultSentences {
      let value = path.reduce(Optional(field.node)) { node, keyword in node?[keyword] }
      fault(value?.elements?.first?.mark ?? value?.mark ?? field.mark, sentence)
    }
  }

  private func checkFormKeywords(_ field: FieldSource) {
    let ofData = ["choices", "listed", "initial"] + Self.bounds.filter { field.node[$0]?.expression != nil }
    for keyword in ofData {
      guard let entry = field.node.entry(keyword) else { continue }
      fault(
        entry.key.mark,
        Self.bounds.contains(keyword)
          ? "Only a field of an action that a screen declares has an expression as \(keyword), which reads the data."
          : "Only a field of an action that a screen declares has \(keyword), because it reads the data.")
    }
  }

  /// The keywords of bounds, which may be expressions.
  static let bounds = FormBound.allCases.map(\.rawValue)

  private func schema(of field: FieldSource, isShown: Bool) -> FieldSchema? {
    guard let kind = kind(of: field) else { return nil }
    let name = YAMLKey(name: field.name, mark: field.mark)
    let given = field.text("title")
    let title =
      isShown
      ? templates.fixedTitle(field.isQuestion && given.map { dependsOnValues($0) } ?? false ? nil : given, of: name)
      : templates.fixedText(field.text("title")) ?? Text(field.name.asTitle)
    return FieldSchema(
      field.name, title: title,
      description: templates.fixedText(field.text("description")), kind: kind, isNullable: field.isNullable,
      isSensitive: field["sensitive"]?.boolean ?? false, autofill: autofill(field),
      isFromAddress: field["fromAddress"]?.boolean ?? false, errors: errors(of: field, kind),
      defaultValue: field["default"].map { $0.value.converted(to: field.typeName == "number" ? .double : .dyn) })
  }

  /// Compiles the field's own sentences for its errors.
  private func errors(of field: FieldSource, _ kind: any FieldKind) -> FieldErrors {
    var sentences: [(FieldErrors.Keyword, Text)] = []
    for entry in field.node["errors"]?.entries ?? [] {
      guard let keyword = FieldErrors.Keyword(rawValue: entry.key.name) else {
        unknown("error keyword", entry.key, among: FieldErrors.Keyword.allCases.map(\.rawValue))
        continue
      }
      guard let text = templates.fixedText(TextModel(entry.value)) else { continue }
      if keyword == .choices, kind.allChoices.isEmpty, field["choices"] == nil {
        // Any other text has no choices, whatever a screen in Swift may offer for it.
        fault(entry.value.mark, DeclarationFault.errorWithoutLimit(keyword).description)
      } else {
        sentences.append((keyword, text))
      }
    }
    return FieldErrors(sentences)
  }

  private func autofill(_ field: FieldSource) -> Autofill? {
    guard let node = field["autocomplete"], let name = node.text else { return nil }
    if let autofill = Autofill(rawValue: name) { return autofill }
    unknown("autocomplete", YAMLKey(name: name, mark: node.mark), among: Autofill.names)
    return nil
  }

  /// Returns the kind of a field; nil for a fault.
  private func kind(of field: FieldSource) -> (any FieldKind)? {
    let known = flow.faults.count
    checkKeywords(of: field)
    // A wrong keyword would cause a second fault.
    guard flow.faults.count == known else { return nil }
    switch field.typeName {
    case "boolean":
      let kind = BooleanKind(isTrue: field["const"]?.boolean ?? false, isRadio: field["radio"]?.boolean ?? false)
      return choiceKind(of: field, kind) ?? kind
    case "integer":
      let bounds = numberBounds(of: field)
      let kind = WholeNumberKind(bounds)
      if let choices = choiceKind(of: field, kind) { return choices }
      guard let decimals = field["decimals"]?.integer else { return kind }
      return AmountKind(bounds, decimals: Int(clamping: decimals), unit: templates.fixedText(field.text("unit")))
    case "number":
      return NumberKind(numberBounds(of: field))
    case "string": return textKind(of: field)
    case "array": return severalKind(of: field)
    case let name?:
      fault(
        field.mark, "A field of a form cannot be of the type \(name). Use string, integer, number, boolean or array.")
    case nil: fault(field.mark, "The field \(field.name) has no type. Add one, such as `type: string`.")
    }
    return nil
  }

  /// The keywords that a form cannot show, or not for this type.
  private func checkKeywords(of field: FieldSource) {
    guard let type = field.typeName, let known = Self.keywords[type] else { return }
    for entry in field.node.entries ?? []
    where !known.contains(entry.key.name) && !Self.general.contains(entry.key.name) {
      let types = Self.keywords.filter { $0.value.contains(entry.key.name) }.keys.sorted()
      fault(
        entry.key.mark,
        types.isEmpty
          ? "A form cannot show the keyword \(entry.key.name). Remove it."
          : "Only a field of the type \(types.listed) has \(entry.key.name). Remove it.")
    }
    if field["decimals"] == nil, let unit = field.node.entry("unit") {
      fault(unit.key.mark, "A unit needs decimals, such as `decimals: 2`.")
    }
    checkValues(of: field)
  }

  /// Requires values of the right kind. A keyword with another value would have no effect, and `sensitive: yes`, say,
  /// is a text in YAML 1.2.
  private func checkValues(of field: FieldSource) {
    func require(_ noun: String, _ nodes: [YAMLNode?], _ isOne: (YAMLNode) -> Bool) {
      for case let node? in nodes where !isOne(node) {
        fault(node.mark, "The value is \(node.kindName), where \(noun) is expected.")
      }
    }
    let flags = ["sensitive", "fromAddress", "listed", "multiline", "radio", "writeOnly"]
    require("true or false", flags.map { field.node[$0] }) { $0.boolean != nil || $0.isInvalid }
    if let node = field.node["decimals"], !node.isInvalid, !(0...9).contains(node.integer ?? -1) {
      fault(node.mark, "The decimals are a whole number from 0 to 9.")
    }
    if let decimals = field["decimals"]?.integer, (1...9).contains(decimals) {
      for keyword in ["minimum", "maximum", "default"] {
        guard let node = field.node[keyword], node.integer == nil, let number = field.number(keyword) else { continue }
        let units = (0..<decimals).reduce(number) { units, _ in units * 10 }
        let advice = Int64(exactly: units.rounded()).map { " Write \($0) for \(node.text ?? "\(number)")." } ?? ""
        fault(node.mark, "The \(keyword) of an amount is a whole number of its smallest unit.\(advice)")
      }
    }
    if field.typeName == "boolean", let node = field.node["const"], !node.isInvalid {
      if node.boolean != true {
        fault(node.mark, "A consent that must be given has `const: true`. Write true, or remove the keyword.")
      } else if field.isNullable {
        fault(node.mark, "A consent that must be given cannot be null. Remove null, or remove const.")
      }
    }
    if let types = field["type"]?.elements, types.count(where: { $0.text != "null" }) > 1 {
      fault(field.node["type"]?.mark ?? field.mark, "A field of a form has one type, which may be null as well.")
    }
    require("a mapping of keywords to texts", [field.node["errors"]]) { $0.entries != nil || $0.isInvalid }
    let errors = (field.node["errors"]?.entries ?? []).map { Optional($0.value) }
    require("a text", ["title", "description", "unit"].map { field.node[$0] } + errors) { node in
      node.text != nil || node.entries != nil || node.isInvalid
    }
    checkBounds(of: field)
    switch field.typeName {
    case "string":
      let texts = ["examples", "enum"].flatMap { field.node[$0]?.elements ?? [] }
      require("a text", texts) { $0.text != nil || $0.isNull }
    case "integer": require("a whole number", field.node["enum"]?.elements ?? []) { $0.integer != nil || $0.isNull }
    default: break
    }
  }

  /// Requires that each bound is a value of the field.
  private func checkBounds(of field: FieldSource) {
    let format = field["format"]?.text.flatMap { TextFormat(rawValue: $0) }
    for keyword in Self.bounds {
      guard let entry = field.node.entry(keyword), !entry.value.isInvalid else { continue }
      let bound = entry.value
      if field.typeName != "string" {
        // JSON Schema reports any other value.
        if bound.text != nil, bound.expression == nil {
          fault(bound.mark, "The value is a text, where a number is expected.")
        }
      } else if let format, format.isOrdered {
        guard let constant = bound.constant, !format.kind().faults(of: constant).isEmpty else { continue }
        fault(
          bound.mark,
          "The value is \(bound.kindName), where a \(format.rawValue) such as \(format.example) is expected.")
      } else {
        fault(entry.key.mark, "Only a number, a date and a time have \(keyword.withArticle). Remove the keyword.")
      }
    }
  }

  /// Requires that the choices of the screen are the only ones of the field.
  private func checkChoices(of field: FieldSource) {
    guard field["choices"] != nil else { return }
    if let radio = field.node.entry("radio") {
      fault(radio.key.mark, "A field with choices shows them as a list. Remove radio.")
    }
    for keyword in ["enum", "oneOf", "pattern", "format"] where field[keyword] != nil {
      let mark = field.node.entry("choices")?.key.mark ?? field.mark
      return fault(mark, "A field with \(keyword.withArticle) has no choices. Remove one of the two.")
    }
  }

  /// The keywords that have no effect beside choices of the declaration.
  private static let withoutChoices = [
    "format", "pattern", "minLength", "maxLength", "multiline", "writeOnly", "minimum", "maximum", "decimals",
  ]

  /// The keywords of which a field has one, each with those that would have no effect beside it.
  private static let exclusive: KeyValuePairs<String, [String]> = [
    "const": ["oneOf", "radio"],
    "choices": ["minLength", "maxLength", "multiline", "writeOnly", "minimum", "maximum", "decimals"],
    "enum": withoutChoices,
    "oneOf": withoutChoices,
    "format": ["pattern", "multiline", "writeOnly"],
    "pattern": ["multiline"],
  ]

  /// Requires that each keyword has an effect: a field whose secrecy has no effect would be shown.
  private func checkExclusiveKeywords(of field: FieldSource) {
    guard let (kind, others) = Self.exclusive.first(where: { field[$0.key] != nil }) else { return }
    for keyword in others where field[keyword] != nil {
      let advice =
        keyword == "writeOnly"
        ? "Write sensitive: true, which hides it in histories." : "Remove one of the two."
      let mark = field.node.entry(keyword)?.key.mark ?? field.mark
      let name = kind == "choices" ? kind : kind.withArticle
      fault(mark, "A field with \(name) has no \(keyword). \(advice)")
    }
  }

  private static let general: Set<String> = [
    "$ref", "autocomplete", "confirms", "default", "description", "errors", "fromAddress", "initial", "refuse",
    "sensitive", "title", "type", "when",
  ]

  private static let keywords: [String: Set<String>] = [
    "boolean": ["const", "oneOf", "radio"],
    "integer": ["choices", "decimals", "enum", "listed", "maximum", "minimum", "oneOf", "radio", "unit"],
    "number": ["minimum", "exclusiveMinimum", "maximum"],
    "string": [
      "choices", "enum", "examples", "format", "listed", "maximum", "maxLength", "minimum", "minLength", "multiline",
      "oneOf", "pattern", "radio", "writeOnly",
    ],
    "array": ["items", "maxItems", "minItems", "uniqueItems"],
  ]

  /// Returns the kind of a field with the choices of its declaration; nil for a field without.
  ///
  /// - Parameter base: the kind of the values.
  private func choiceKind(of field: FieldSource, _ base: any FieldKind) -> (any FieldKind)? {
    checkChoices(of: field)
    checkExclusiveKeywords(of: field)
    // A type with choices may be that of a list in another form.
    for choice in field.node["oneOf"]?.elements ?? [] {
      guard let entry = choice.entry("excludesOthers") else { continue }
      fault(entry.key.mark, "Only a choice of several excludes others, as in `type: array`. Remove excludesOthers.")
    }
    let known = choices(in: field.node, of: base.type) ?? choices(in: field.reference, of: base.type)
    if known == nil, base.type != "boolean", field["choices"] == nil, let radio = field.node.entry("radio") {
      fault(radio.key.mark, "Only a field with choices, or of the type boolean, has radio. Remove it.")
    }
    return known.map { ChoiceKind($0, isRadio: field["radio"]?.boolean ?? false, of: base) }
  }

  private func textKind(of field: FieldSource) -> (any FieldKind)? {
    if let choices = choiceKind(of: field, TextKind()) { return choices }
    let isSecret = field["writeOnly"]?.boolean ?? false
    if field["choices"] != nil { return TextKind() }
    let length = length(of: field)
    if let node = field["format"], let name = node.text {
      if let format = TextFormat(rawValue: name) {
        let kind = format.kind(length: length)
        let (minimum, maximum) = (field.node["minimum"]?.constant, field.node["maximum"]?.constant)
        return kind.bounded(minimum: minimum, maximum: maximum) ?? kind
      }
      unknown("format", YAMLKey(name: name, mark: node.mark), among: TextFormat.allCases.map(\.rawValue))
      return nil
    }
    if let node = field["pattern"], let pattern = node.text { return patternKind(pattern, node, field, isSecret) }
    return TextKind(length: length, isSecret: isSecret, isMultiline: field["multiline"]?.boolean ?? false)
  }

  /// The bounds of a number: the stricter ones of the field itself and of its type.
  private func numberBounds(of field: FieldSource) -> NumberBounds {
    func bounds(_ keyword: String) -> [Double] {
      [field.node[keyword], field.reference?[keyword]].compactMap { $0?.constant?.double }
    }
    return NumberBounds(
      minimum: bounds("minimum").max(), exclusiveMinimum: bounds("exclusiveMinimum").max(),
      maximum: bounds("maximum").min())
  }

  private func length(of field: FieldSource) -> ClosedRange<Int>? {
    // An empty text answers a question only if the author says so.
    let needsText =
      field.isQuestion && !field.isNullable && ["default", "format", "pattern"].allSatisfy { field[$0] == nil }
    guard needsText || field["minLength"] != nil || field["maxLength"] != nil else { return nil }
    let minimum = Int(clamping: field["minLength"]?.integer ?? (needsText ? 1 : 0))
    let maximum = Int(clamping: field["maxLength"]?.integer ?? .max)
    // A range the wrong way round is a fault of the schema.
    return minimum <= maximum ? minimum...maximum : nil
  }

  private func patternKind(
    _ pattern: String, _ node: YAMLNode, _ field: FieldSource, _ isSecret: Bool
  ) -> (any FieldKind)? {
    if pattern.hasPrefix("^[0-9]{"), pattern.hasSuffix("}$"), let count = Int(pattern.dropFirst(7).dropLast(2)) {
      for keyword in ["minLength", "maxLength"] {
        guard let entry = field.node.entry(keyword) else { continue }
        fault(entry.key.mark, "The pattern has the number of digits. Remove \(keyword).")
      }
      return DigitsKind(count, isSecret: isSecret)
    }
    guard pattern.hasPrefix("^"), pattern.hasSuffix("$") else {
      fault(node.mark, "The pattern of a form is for the whole text. Write '^\(pattern)$'.")
      return nil
    }
    guard let example = field["examples"]?.elements?.first?.text else {
      fault(node.mark, "The pattern has no example. Add one under examples, for the people who fill in the form.")
      return nil
    }
    return PatternKind(
      String(pattern.dropFirst().dropLast()), example: example, length: length(of: field), isSecret: isSecret)
  }

  private func severalKind(of field: FieldSource) -> (any FieldKind)? {
    let items = field["items"]
    let reference = items?.reference(in: typeNodes)
    let type = (items?["type"] ?? reference?["type"])?.text ?? "string"
    guard ["string", "integer"].contains(type) else {
      fault(field.mark, "The list \(field.name) has items of the type \(type). Use string or integer.")
      return nil
    }
    let known = choices(in: items, of: type) ?? choices(in: reference, of: type)
    guard let choices = known else {
      fault(field.mark, "The list \(field.name) has no choices. Add `items: {type: string, enum: […]}`.")
      return nil
    }
    var count: ClosedRange<Int>?
    if field["minItems"] != nil || field["maxItems"] != nil {
      let minimum = Int(clamping: field["minItems"]?.integer ?? 0)
      let maximum = field["maxItems"].map { Int(clamping: $0.integer ?? 0) } ?? max(choices.count, minimum)
      if minimum <= maximum { count = minimum...maximum }
    }
    return SeveralKind(choices, count: count, of: type == "integer" ? WholeNumberKind() : TextKind())
  }

  /// Returns the titles of the choices of a schema, or of the elements of a list, by their values; nil without a title.
  func titles(of schema: YAMLNode) -> [Value: Text]? {
    let schema = elements(of: schema) ?? schema
    let declaration = schema["oneOf"] == nil ? schema.reference(in: typeNodes) : schema
    guard let declaration, let alternatives = declaration["oneOf"]?.elements,
      alternatives.contains(where: { $0["title"] != nil })
    else { return nil }
    let types = declaration["type"].map { $0.elements?.compactMap(\.text) ?? [$0.text].compactMap(\.self) }
    guard let type = (types ?? ["string"]).first(where: { ["string", "integer", "boolean"].contains($0) }) else {
      return nil
    }
    let titles = (choices(in: declaration, of: type) ?? []).map { ($0.value, $0.title) }
    return Dictionary(titles) { first, _ in first }
  }

  /// The choices of `enum`, or of `oneOf` with titles; nil without any.
  ///
  /// - Parameter type: the type of their values, without null.
  private func choices(in node: YAMLNode?, of type: String) -> [Choice]? {
    func read(_ node: YAMLNode?) -> Value? {
      switch type {
      case "integer": node?.integer.map { Value($0) }
      case "boolean": node?.boolean.map { Value($0) }
      default: node?.text.map { Value($0) }
      }
    }
    if let values = node?["enum"]?.elements { return values.compactMap { read($0) }.map { Choice(value: $0) } }
    guard let values = node?["oneOf"]?.elements else { return nil }
    var choices: [Choice] = []
    for value in values where value["type"]?.text != "null" && value["const"]?.isNull != true {
      guard let constant = read(value["const"]) else {
        let noun = ["integer": "a whole number", "boolean": "true or false"][type] ?? "a text"
        fault(value.mark, "A choice has \(noun) as its const, and may have a title.")
        continue
      }
      // A repeated one is a fault of the schema.
      if choices.contains(where: { $0.value == constant }) { continue }
      func text(_ keyword: String) -> Text? { templates.fixedText(value[keyword].map { TextModel($0) }) }
      let excludesOthers = value["excludesOthers"]?.boolean ?? false
      choices.append(
        Choice(value: constant, title: text("title"), hint: text("description"), excludesOthers: excludesOthers))
    }
    return choices
  }
}

extension Autofill {
  fileprivate static let names = [
    name, givenName, familyName, organization, streetAddress, postalCode, city, country, birthday, email, phone, url,
    username, currentPassword, newPassword, oneTimeCode,
  ].map(\.rawValue)
}

extension YAMLNode {
  /// The value; nil for an expression.
  fileprivate var constant: Value? { expression == nil ? value : nil }
}
