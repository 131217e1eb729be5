internal import Patterns

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// The function `format` (cel-go, "Strings extension").
struct Formatter {
  var meter: CostMeter
  private var result = ""

  /// The maximum number of digits after the point.
  private static let maximumPrecision = 100

  init(meter: CostMeter) { self.meter = meter }

  mutating func format(_ template: String, _ values: [CEL.Value]) throws(Failure) -> String {
    var cursor = PatternCursor(template)
    var remaining = values[...]
    while let scalar = cursor.take() {
      guard scalar == "%" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      try meter.charge(1)
      if cursor.take("%") {
        result += "%"
        continue
      }
      var precision: Int?
      if cursor.take(".") {
        let number = cursor.number(limit: Self.maximumPrecision) ?? 0
        guard number <= Self.maximumPrecision else {
          throw .invalidArgument("The precision of % is greater than \(Self.maximumPrecision).")
        }
        precision = number
      }
      guard let clause = cursor.take() else {
        throw .invalidArgument("The format ends after %. Write %% for the character.")
      }
      guard let value = remaining.popFirst() else {
        throw .invalidArgument("The format has more clauses than the list has values, \(values.count).")
      }
      try append(value, clause, precision)
    }
    return result
  }

  private mutating func append(
    _ value: CEL.Value, _ clause: Unicode.Scalar, _ precision: Int?
  ) throws(Failure) {
    let text: String?
    switch clause {
    case "s":
      try append(value, depth: 0)
      return
    case "d": text = Self.decimal(value)
    case "f", "e": text = Self.real(value).map { Self.text($0, isFixed: clause == "f", precision ?? 6) }
    case "b": text = Self.binary(value)
    case "o": text = Self.integer(value, radix: 8)
    case "x": text = try hexadecimal(value)
    case "X": text = try hexadecimal(value)?.uppercased()
    default:
      throw .invalidArgument(
        "The clause %\(clause.debugName) is unknown. Write one of %s, %d, %f, %e, %b, %o, %x and %X.")
    }
    guard let text else {
      throw .invalidArgument("The clause %\(clause) does not take a value of type \(value.typeName.shortName).")
    }
    try append(text)
  }

  private mutating func append(_ text: String) throws(Failure) {
    try meter.charge(bytes: text.utf8.count)
    result += text
  }

  // MARK: Numbers

  private static func decimal(_ value: CEL.Value) -> String? {
    if case .double(let number) = value { return DoubleText.specialName(number) }
    return integer(value, radix: 10)
  }

  private static func integer(_ value: CEL.Value, radix: Int) -> String? {
    switch value {
    case .int(let number): String(number, radix: radix)
    case .uint(let number): String(number, radix: radix)
    default: nil
    }
  }

  private static func binary(_ value: CEL.Value) -> String? {
    if case .bool(let value) = value { return value ? "1" : "0" }
    return integer(value, radix: 2)
  }

  private mutating func hexadecimal(_ value: CEL.Value) throws(Failure) -> String? {
    let bytes: [UInt8]
    switch value {
    case .string(let text): bytes = Array(text.utf8)
    case .bytes(let content): bytes = content
    default: return Self.integer(value, radix: 16)
    }
    try meter.charge(bytes: 2 * bytes.count)
    return bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func real(_ value: CEL.Value) -> Double? {
    if case .double(let number) = value.asDouble { number } else { nil }
  }

  private static func text(_ number: Double, isFixed: Bool, _ precision: Int) -> String {
    if let name = DoubleText.specialName(number) { return name }
    // A double has at most 309 digits before its point.
    return String(unsafeUninitializedCapacity: 512) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        let count = withVaList([Int32(precision), number]) {
          vsnprintf(buffer.baseAddress, buffer.count, isFixed ? "%.*f" : "%.*e", $0)
        }
        return Int(count)
      }
    }
  }

  // MARK: Texts

  /// Appends the text of a value for `%s`.
  private mutating func append(_ value: CEL.Value, depth: Int) throws(Failure) {
    try meter.charge(1)
    guard depth < CEL.Value.maximumDepth else { throw meter.exhaust() }
    switch value {
    case .null: try append("null")
    case .bytes(let bytes):
      try meter.charge(bytes: bytes.count)
      try append(String(decoding: bytes, as: UTF8.self))
    case .type(let name): try append(name.rawValue)
    case .list(let elements):
      result += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { result += ", " }
        try append(element, depth: depth + 1)
      }
      result += "]"
    case .map(let map): try append(map, depth: depth)
    default: try append(value.plainText ?? "")
    }
  }

  /// Appends the entries in the order of the texts of their keys.
  private mutating func append(_ map: CEL.Map, depth: Int) throws(Failure) {
    for key in map.keys { try meter.charge(key) }
    let entries = zip(map.keys, map.values).map { key, value in
      let text = if case .string(let text) = key { text } else { key.value.shortDescription }
      return (text: text, value: value)
    }
    result += "{"
    for (index, entry) in entries.sorted(by: { $0.text < $1.text }).enumerated() {
      if index > 0 { result += ", " }
      try append(entry.text)
      result += ": "
      try append(entry.value, depth: depth + 1)
    }
    result += "}"
  }
}
