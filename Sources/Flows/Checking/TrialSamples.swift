internal import Navigation
internal import Values
internal import YAML

// Values for trials: what people and backends may send.

extension LinkDefinition {
  /// Links with values instead of the fields, each of which is probably valid.
  var samples: [String] {
    input.samples.compactMap { values in
      var (path, query) = (pattern.text, [String]())
      for field in input.fields {
        guard let value = values[field.name] else { continue }
        let text = field.kind.text(of: value)
        guard text.utf8.allSatisfy({ $0.isASCIILetterOrDigit || "-._".utf8.contains($0) }) else { return nil }
        let placeholder = "{\(field.name)}"
        if path.contains(placeholder) {
          path = path.replacing(placeholder, with: text)
        } else {
          query.append("\(field.name)=\(text)")
        }
      }
      return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }
  }
}

extension InputSchema {
  /// Inputs that are probably valid: one with the initial and the lowest values, one with the highest, and one with
  /// what fields without limits take as well.
  var samples: [Value] {
    if fields.isEmpty { return [.emptyObject] }
    return SampleKind.allCases.map { kind in
      .object(fields.enumerated().compactMap { index, field in field.sample(kind, index).map { (field.name, $0) } })
    }
  }
}

private enum SampleKind: CaseIterable {
  case low
  case high
  /// A negative number, or zero between two limits, the last day of the calendar, and a text that is not a pattern.
  case extreme
}

extension FieldSchema {
  /// - Parameter index: the index of the field in the input. A later date is often the end of a stay, say.
  fileprivate func sample(_ sample: SampleKind, _ index: Int) -> Value? {
    let isHigh = sample != .low
    if !isHigh, initial != nil || !isRequired { return initial }
    var (minimum, maximum) = (Value?.none, Value?.none)
    var (minimumSize, maximumSize) = (0, Int?.none)
    var items: [Choice] = []
    var formatted: String?
    var exclusive: [Choice] = []
    for limit in kind.limits {
      switch limit {
      case .choices(let choices): return (isHigh ? choices.last : choices.first)?.value
      case .pattern(let pattern): return Value(pattern.example)
      case .format(let format):
        formatted = sample == .extreme ? format.last : format.sample(day: (isHigh ? 20 : 0) + min(index, 5))
      case .earliest(let bound): formatted = formatted.map { max($0, bound) }
      case .latest(let bound): formatted = formatted.map { min($0, bound) }
      case .digits(let count): return Value(String(repeating: isHigh ? "9" : "0", count: count))
      case .isTrue: return true
      case .minimum(let value): minimum = value
      case .exclusiveMinimum(let value): minimum = Value(finite: (value.double ?? 0) + 1)
      case .maximum(let value): maximum = value
      case .minimumLength(let count), .minimumItems(let count): minimumSize = count
      case .maximumLength(let count), .maximumItems(let count): maximumSize = count
      case .items(let choices): items = choices
      case .exclusiveItems(let choices): exclusive = choices
      }
    }
    if let formatted { return Value(formatted) }
    let size = isHigh ? min(maximumSize ?? 20, 200) : minimumSize
    switch kind.type {
    case "boolean": return Value(isHigh)
    case "integer", "number":
      if sample == .extreme {
        guard let least = minimum?.double else { return -1 }
        if least < 0, maximum?.double ?? 0 >= 0 { return 0 }
      }
      return isHigh ? maximum ?? 1000 : minimum ?? 0
    case "array":
      let combined = size > 1 ? items.filter { !exclusive.contains($0) } : items
      return .array(combined.prefix(size).map(\.value))
    default: return Value(String(repeating: sample == .extreme ? "(" : "a", count: size))
    }
  }
}

extension TextFormat {
  /// The last value of a format with an order.
  fileprivate var last: String {
    switch self {
    case .date: "9999-12-31"
    case .time: "23:59"
    case .dateTime: "9999-12-31T23:59:59Z"
    default: sample(day: 0)
    }
  }

  /// - Parameter day: the number of days after the first of December, up to 27.
  fileprivate func sample(day: Int) -> String {
    let date = "2025-12-\(day < 9 ? "0" : "")\(day + 1)"
    switch self {
    case .date: return date
    case .dateTime: return "\(date)T09:30:00+01:00"
    default: return example
    }
  }
}

extension FlowModel {
  /// Outputs that are probably valid: one with the lowest values and no more than the required ones, the same with an
  /// element in each list, and one with the highest values.
  func outputSamples(of operation: OperationModel) -> [Value] {
    guard let response = operation.response else { return [.null] }
    return [(false, 0), (false, 1), (true, 1)].reduce(into: []) { samples, kind in
      guard let value = sample(response, isHigh: kind.0, elements: kind.1, depth: 0) else { return }
      if samples.last != value { samples.append(value) }
    }
  }

  /// Returns nil for a schema that does not say what its values are, such as one with a pattern.
  private func sample(_ schema: YAMLNode, isHigh: Bool, elements: Int, depth: Int) -> Value? {
    // Types may contain themselves.
    guard depth < 8 else { return isHigh ? .null : nil }
    func part(_ schema: YAMLNode) -> Value? {
      sample(schema, isHigh: isHigh, elements: elements, depth: depth + 1)
    }
    if let examples = schema["examples"]?.elements, let example = isHigh ? examples.last : examples.first {
      return example.value
    }
    if let target = schema["$ref"]?.text {
      return types.first { "#/types/\($0.key.name)" == target }.flatMap { part($0.value) }
    }
    if let constant = schema["const"] { return constant.value }
    if let values = schema["enum"]?.elements, let value = isHigh ? values.last : values.first { return value.value }
    if let schemas = schema["oneOf"]?.elements, let one = isHigh ? schemas.last : schemas.first { return part(one) }
    let kinds = schema["type"].map { node in node.elements?.compactMap(\.text) ?? [node.text].compactMap(\.self) } ?? []
    if kinds.contains("null"), !isHigh { return .null }
    let sizes = (schema["minLength"] ?? schema["minItems"], schema["maxLength"] ?? schema["maxItems"])
    let size = isHigh ? max(Int(sizes.1?.integer ?? 3), Int(sizes.0?.integer ?? 0)) : Int(sizes.0?.integer ?? 0)
    switch kinds.first(where: { $0 != "null" }) {
    case "boolean": return Value(isHigh)
    case "integer", "number":
      if isHigh { return schema["maximum"]?.value ?? 1000 }
      let aboveMinimum = schema["exclusiveMinimum"]?.value.double.flatMap { Value(finite: $0 + 1) }
      return schema["minimum"]?.value ?? aboveMinimum ?? 0
    case "string":
      if schema["pattern"] != nil { return nil }
      if let name = schema["format"]?.text {
        return TextFormat(rawValue: name).map { Value($0.sample(day: isHigh ? 20 : 0)) }
      }
      // A text that a backend sends has something in it.
      return Value(String(repeating: "a", count: min(max(size, 1), 200)))
    case "array":
      let size = isHigh ? size : min(max(size, elements), Int(sizes.1?.integer ?? 1))
      guard size > 0, let items = schema["items"] else { return [] }
      guard let item = part(items) else { return nil }
      return .array(Array(repeating: item, count: schema["uniqueItems"]?.boolean == true ? 1 : min(size, 3)))
    case "object":
      let required = Set((schema["required"]?.elements ?? []).compactMap(\.text))
      var members: [(String, Value)] = []
      for property in schema["properties"]?.entries ?? [] where isHigh || required.contains(property.key.name) {
        guard let value = part(property.value) else {
          if required.contains(property.key.name) { return nil }
          continue
        }
        members.append((property.key.name, value))
      }
      return .object(members)
    default: return nil
    }
  }
}
