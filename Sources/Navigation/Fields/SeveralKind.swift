package import Values

/// A list of several choices, each once, in the order of their declaration.
package struct SeveralKind: FieldKind {
  let choices: [Choice]
  /// The minimum and maximum number of items.
  let count: ClosedRange<Int>?
  /// The kind of an item.
  private let item: any FieldKind

  package init(_ choices: [Choice], count: ClosedRange<Int>? = nil, of item: any FieldKind = TextKind()) {
    (self.choices, self.count, self.item) = (choices, count, item)
  }

  package var type: String { "array" }
  package var control: FieldControl { .checkboxes(choices) }
  // Without a choice, a form sends the empty text of its hidden field.
  package var takesEmptyText: Bool { true }

  package var limits: [FieldLimit] {
    let exclusive = choices.filter(\.excludesOthers)
    let limits: [FieldLimit] = [.items(choices)] + (exclusive.isEmpty ? [] : [.exclusiveItems(exclusive)])
    return limits + (count.map { [.minimumItems($0.lowerBound), .maximumItems($0.upperBound)] } ?? [])
  }

  package var declarationFaults: [DeclarationFault] {
    choices.faults(of: item) + (count.map { $0.lowerBound < 0 } ?? false ? [.negativeLength] : [])
  }

  package func value(from text: String) -> Value {
    // The value of a choice may have commas.
    if choices.contains(where: { $0.value.text == text }) { return .array([Value(text)]) }
    return .array(text.split(separator: ",").map { item.value(from: String($0)) })
  }

  package func value(from texts: [String]) -> Value {
    .array(texts.filter { !$0.isEmpty }.map { item.value(from: $0) })
  }

  package func texts(of value: Value) -> [String] { value.elements.map(\.fieldText) }

  package func shown(_ value: Value) -> Text {
    Text(list: value.elements.map { item in choices.first { $0.value == item }?.title ?? Text(item.fieldText) })
  }

  package func faults(of value: Value) -> [FieldFault] {
    guard value.kind == .array else { return [.wrongType(expected: .list)] }
    let items = value.elements.map { choices.choice(of: $0, item)?.value ?? $0 }
    var faults: [FieldFault] = []
    if !items.allSatisfy({ one in choices.contains { $0.value == one } }) { faults.append(.outside(.items(choices))) }
    if Set(items).count < items.count { faults.append(FieldFault(keyword: "uniqueItems", .outside(.items(choices)))) }
    let areChoices = faults.isEmpty
    let exclusive = choices.filter { $0.excludesOthers && items.contains($0.value) }
    if items.count > 1, !exclusive.isEmpty { faults.append(.outside(.exclusiveItems(exclusive))) }
    // A value that is not offered, or is repeated, makes the number of items meaningless.
    if areChoices, let count {
      if items.count < count.lowerBound { faults.append(.outside(.minimumItems(count.lowerBound))) }
      if items.count > count.upperBound { faults.append(.outside(.maximumItems(count.upperBound))) }
    }
    return faults
  }

  package func stored(_ value: Value) -> Value {
    guard value.kind == .array else { return value }
    let items = Set(value.elements.compactMap { choices.choice(of: $0, item)?.value })
    return .array(choices.map(\.value).filter { items.contains($0) })
  }

  package func withTexts(_ write: (Text) -> Text) -> any FieldKind {
    SeveralKind(choices.map { $0.withTexts(write) }, count: count, of: item)
  }

  package func limited(to choices: [Choice]) -> (any FieldKind)? {
    self.choices.isEmpty ? SeveralKind(choices, count: count, of: item) : nil
  }
}

extension Array: FieldValue where Element: FieldChoice {
  public static var fieldKind: any FieldKind { SeveralKind(Element.choices, of: Element.RawValue.fieldKind) }
  public static var placeholder: [Element] { [] }
}

extension Field {
  /// Declares a list of several cases, each once.
  ///
  /// - Parameter count: the minimum and maximum number of cases.
  public init<Element: FieldChoice>(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, count: ClosedRange<Int>,
    isSensitive: Bool = false, errors: FieldErrors = [:]
  ) where Value == [Element] {
    self.init(
      wrappedValue: wrappedValue, title, description: description,
      kind: SeveralKind(Element.choices, count: count, of: Element.RawValue.fieldKind), isSensitive: isSensitive,
      errors: errors)
  }
}
