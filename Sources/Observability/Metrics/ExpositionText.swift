/// Parts of the Prometheus text format.
extension String {
  /// Appends the line of a sample.
  ///
  /// - Parameter labels: `name="value"` pairs separated by commas, escaped.
  mutating func appendSample(_ name: String, _ labels: String, _ value: String) {
    self += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }

  /// The name with an underscore for every character that a metric or label must not contain.
  var metricName: String {
    let name = String(map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == ":") ? $0 : "_" })
    return name.first?.isNumber ?? true ? "_" + name : name
  }

  /// Escapes a help text, or the value of a label with `quotes`.
  func escaped(quotes: Bool) -> String {
    guard utf8.contains(where: { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\"") })
    else { return self }
    var text = ""
    for character in unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\"" where quotes: text += "\\\""
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}

extension Double {
  /// The number as the value of a sample.
  var sample: String {
    if isNaN { return "NaN" }
    if isInfinite { return self > 0 ? "+Inf" : "-Inf" }
    let whole = Int64(exactly: self)
    return whole.map { "\($0)" } ?? "\(self)"
  }
}
