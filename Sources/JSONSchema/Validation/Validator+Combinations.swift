internal import Values

extension Validator {
  mutating func applyOne(_ schemas: [Int], to value: Value) throws(Limit) {
    var matchCount = 0
    for schema in schemas {
      if try matches(value, schema: schema) { matchCount += 1 }
      if matchCount > 1 {
        return fail(.oneOf, "must match only one of the \(schemas.count) schemas of oneOf, and matches several")
      }
    }
    if matchCount == 0 { try applyAny(schemas, to: value, keyword: .oneOf) }
  }

  /// Reports the faults of the one schema that was meant, if the type or a constant tells, or else a common fault.
  mutating func applyAny(_ schemas: [Int], to value: Value, keyword: Keyword) throws(Limit) {
    var alternatives: [[JSONSchema.Fault]] = []
    for schema in schemas {
      guard let faults = try faults(of: value, schema: schema) else { return }
      alternatives.append(faults)
    }
    guard collectsFaults else { return fail(keyword, "") }
    let pointer = pointer
    let meant = alternatives.filter { !$0.contains { Self.tellsAnotherType($0, of: pointer) } }
    if meant.count == 1 {
      report(meant[0])
    } else {
      fail(keyword, "must match one of the \(schemas.count) schemas of \(keyword.rawValue)")
    }
  }

  /// Returns whether the fault tells that another schema was meant for the value, as the type null does for an object,
  /// or the constant `card` of the property `kind` for a transfer.
  private static func tellsAnotherType(_ fault: JSONSchema.Fault, of pointer: String) -> Bool {
    switch fault.keyword {
    case Keyword.type.rawValue: fault.pointer == pointer
    case Keyword.const.rawValue: !fault.pointer.utf8.dropFirst(pointer.utf8.count + 1).contains(UInt8(ascii: "/"))
    default: false
    }
  }
}
