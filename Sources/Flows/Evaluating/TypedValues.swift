internal import CEL
internal import JSONSchema
internal import Values

// JSON has one type of numbers, and CEL has two. A property that is null is absent in an expression.
extension Value {
  /// Returns the value with numbers of the types that are declared, as far as they fit, and without optional properties
  /// that are null.
  func converted(to type: CEL.ValueType) -> Value {
    switch type.withoutNull {
    case .double: return int.flatMap { Value(finite: Double($0)) } ?? self
    case .int where kind == .double: return double.flatMap { Int64(exactly: $0) }.map { Value($0) } ?? self
    case .list(let element) where kind == .array: return .array(elements.map { $0.converted(to: element) })
    case .map(_, let element) where kind == .map:
      return .object(members.map { ($0.key, $0.value.converted(to: element)) })
    case .object(let object) where kind == .map:
      return .object(
        members.compactMap { member in
          let field = object.fields[member.key]
          if member.value.isNull, let field, !field.isRequired, !field.type.acceptsNull { return nil }
          return (member.key, member.value.converted(to: field?.type ?? .dyn))
        })
    default: return self
    }
  }

  /// Returns the first fault of a converted value; nil for a valid one. The path has no personal data.
  func fault(as type: CEL.ValueType, _ schema: JSONSchema?) -> (path: String, message: String)? {
    if let fault = schema?.faults(of: self).first { return (type.publicPath(fault.pointer), fault.message) }
    return pointerToLargeNumber(in: type).map { (type.publicPath($0), "must be a whole number of at most 64 bits") }
  }

  /// Returns the JSON pointer to a number that is declared as an int and does not fit one; nil if there is none.
  func pointerToLargeNumber(in type: CEL.ValueType) -> String? {
    func first(_ parts: [(name: String, value: Value)], _ type: (String) -> CEL.ValueType?) -> String? {
      for part in parts {
        let pointer = type(part.name).flatMap { part.value.pointerToLargeNumber(in: $0) }
        if let pointer { return "/\(part.name)\(pointer)" }
      }
      return nil
    }
    switch type.withoutNull {
    case .int: return kind == .double ? "" : nil
    case .list(let element) where kind == .array:
      return first(elements.enumerated().map { ("\($0.offset)", $0.element) }) { _ in element }
    case .map(_, let element) where kind == .map: return first(members.map { ($0.key, $0.value) }) { _ in element }
    case .object(let object) where kind == .map:
      return first(members.map { ($0.key, $0.value) }) { object.fields[$0]?.type }
    default: return nil
    }
  }
}

extension CEL.ValueType {
  /// Whether a part of a value has a type that is known only when the value is there.
  var hasUnknownParts: Bool {
    switch withoutNull {
    case .dyn: true
    case .list(let element), .map(_, let element): element.hasUnknownParts
    case .object(let object): object.fields.values.contains { $0.type.hasUnknownParts }
    default: false
    }
  }

  /// Returns a JSON pointer into a value of the type without the keys of mappings, which may be personal data and have no
  /// place in logs: `/prices/*`.
  func publicPath(_ pointer: String) -> String {
    var type = self
    return pointer.split(separator: "/").map { part -> String in
      switch type.withoutNull {
      case .object(let object):
        guard let field = object.fields[String(part)] else { break }
        type = field.type
        return "/\(part)"
      case .list(let element):
        type = element
        return "/\(part)"
      case .map(_, let element): type = element
      default: type = .dyn
      }
      return "/*"
    }.joined()
  }
}
