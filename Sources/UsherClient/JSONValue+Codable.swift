internal import Foundation

extension JSONValue {
  /// Decodes a Swift value: `try view.screen.data.decode(Home.self)`. Dates are texts in the format of RFC 3339.
  ///
  /// - Throws: a `DecodingError`, or an error of the type's own `init(from:)`.
  public func decode<Item: Decodable>(_ type: Item.Type) throws -> Item {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      // The service leaves out a fraction of 0.
      let date = [true, false].lazy.compactMap { includesFraction in
        try? Date.ISO8601FormatStyle(includingFractionalSeconds: includesFraction).parse(text)
      }.first
      guard let date else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a date (RFC 3339).")
      }
      return date
    }
    return try decoder.decode(type, from: Data(description.utf8))
  }

  /// Encodes a Swift value, such as the input of an action. Dates become texts in the format of RFC 3339, to the
  /// millisecond.
  ///
  /// - Throws: an `EncodingError`, or an error of the type's own `encode(to:)`.
  public init<Item: Encodable>(encoding item: Item) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
    }
    self = try JSONValue(parsing: Array(try encoder.encode(item)))
  }
}
