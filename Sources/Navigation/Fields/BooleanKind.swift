public import Values

/// True or false.
struct BooleanKind: FieldKind {
  var type: String { "boolean" }
  var control: FieldControl { .checkbox }

  func value(from text: String) -> Value { text == "true" ? true : text == "false" ? false : Value(text) }

  func faults(of value: Value) -> [FieldFault] { value.bool == nil ? [.wrongType(expected: "true or false")] : [] }
}

extension Bool: FieldValue {
  public static var fieldKind: any FieldKind { BooleanKind() }
  public static var placeholder: Bool { false }
}
