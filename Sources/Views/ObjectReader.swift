/// Reads the members of a JSON object. An error names the first member that is missing or has another type. An optional
/// member may be missing or null.
struct ObjectReader {
  let json: JSONValue
  /// The path of the object, with a period at its end; empty for the outermost object.
  private let path: String

  init(_ json: JSONValue, path: String = "") {
    self.json = json
    self.path = path
  }

  func value(_ name: String) throws(ViewError) -> JSONValue {
    guard let value = json[name] else { throw ViewError(description: "\(path)\(name) is missing.") }
    return value
  }

  func string(_ name: String) throws(ViewError) -> String { try read(name, "a string") { $0.string } }

  func optionalString(_ name: String) throws(ViewError) -> String? { isNull(name) ? nil : try string(name) }

  func bool(_ name: String) throws(ViewError) -> Bool { try read(name, "true or false") { $0.bool } }

  func integer(_ name: String) throws(ViewError) -> Int64 { try read(name, "an integer") { $0.integer } }

  func optionalInteger(_ name: String) throws(ViewError) -> Int64? { isNull(name) ? nil : try integer(name) }

  func choice<Choice: RawRepresentable<String>>(_ name: String) throws(ViewError) -> Choice {
    try read(name, "a value that this version knows") { $0.string.flatMap { Choice(rawValue: $0) } }
  }

  func strings(_ name: String) throws(ViewError) -> [String] {
    try read(name, "an array of strings") { value in
      guard case .array(let elements) = value else { return nil }
      let strings = elements.compactMap(\.string)
      return strings.count == elements.count ? strings : nil
    }
  }

  func object(_ name: String) throws(ViewError) -> ObjectReader {
    ObjectReader(try read(name, "an object") { if case .object = $0 { $0 } else { nil } }, path: "\(path)\(name).")
  }

  func optionalObject<Result>(
    _ name: String, _ body: (ObjectReader) throws(ViewError) -> Result
  ) throws(ViewError) -> Result? {
    isNull(name) ? nil : try body(try object(name))
  }

  func objects<Result>(
    _ name: String, _ body: (ObjectReader) throws(ViewError) -> Result
  ) throws(ViewError) -> [Result] {
    let elements = try read(name, "an array") { if case .array(let elements) = $0 { elements } else { nil } }
    var results: [Result] = []
    for (index, element) in elements.enumerated() {
      results.append(try body(ObjectReader(element, path: "\(path)\(name)[\(index)].")))
    }
    return results
  }

  /// Returns no elements for a member that an earlier version of the service does not send.
  func optionalObjects<Result>(
    _ name: String, _ body: (ObjectReader) throws(ViewError) -> Result
  ) throws(ViewError) -> [Result] {
    isNull(name) ? [] : try objects(name, body)
  }

  func isNull(_ name: String) -> Bool { json[name]?.isNull != false }

  private func read<Result>(
    _ name: String, _ expected: String, _ body: (JSONValue) -> Result?
  ) throws(ViewError) -> Result {
    guard let result = body(try value(name)) else {
      throw ViewError(description: "\(path)\(name) must be \(expected).")
    }
    return result
  }
}
