internal import Foundation
internal import JWTKit
internal import Values

/// JSON in which no member stands twice: Foundation's decoder takes one of the two, and other libraries may take the other.
struct StrictJSONDecoder: JWTJSONDecoder {
  func decode<Item: Decodable>(_ type: Item.Type, from data: Data) throws -> Item {
    try JSONParser.parse(Array(data)).decode(type)
  }
}
