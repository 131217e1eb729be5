import Foundation
import FoundationNetworking
import MicroHTTP

/// A response, as a client reads it.
struct Answer: Sendable {
  let status: Int
  private let headers: [String: String]
  /// The values of `WWW-Authenticate`, one for each header. Over a socket, Foundation joins them.
  let challenges: [String]
  let bytes: [UInt8]

  init(_ response: Response) {
    status = response.status
    headers = Dictionary(response.headers.map { ("\($0.name)".lowercased(), $0.value) }) { first, _ in first }
    challenges = response.headers.filter { "\($0.name)" == "WWW-Authenticate" }.map(\.value)
    bytes = response.status == 304 ? [] : Array(response.body.bytes)
  }

  init(_ response: HTTPURLResponse, _ data: Data) {
    status = response.statusCode
    headers = Dictionary(
      uniqueKeysWithValues: response.allHeaderFields.map { ("\($0.key)".lowercased(), "\($0.value)") })
    challenges = headers["www-authenticate"].map { [$0] } ?? []
    bytes = Array(data)
  }

  func header(_ name: String) -> String? { headers[name.lowercased()] }

  var json: JSON { JSON(try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The last part of a problem's type.
  var problem: String? { json["type"].string.map { String($0.dropFirst("/problems/".count)) } }
}

/// A JSON value with access by path: `answer.json["screen", "name"].string`.
struct JSON: Equatable, CustomStringConvertible, @unchecked Sendable {
  // The values of JSONSerialization are immutable.
  private let value: Any?

  init(_ value: Any?) { self.value = value }

  subscript(keys: String...) -> JSON {
    JSON(keys.reduce(value) { ($0 as? [String: Any])?[$1] })
  }

  subscript(index: Int) -> JSON {
    let array = value as? [Any] ?? []
    return JSON(array.indices.contains(index) ? array[index] : nil)
  }

  /// Whether the member exists and is null.
  var isNull: Bool { value is NSNull }
  /// Whether the member does not exist.
  var isMissing: Bool { value == nil }
  var string: String? { value as? String }
  var int: Int? { (value as? NSNumber)?.intValue }
  var double: Double? { (value as? NSNumber)?.doubleValue }
  var bool: Bool? { value as? Bool }
  var isObject: Bool { value is [String: Any] }
  var isArray: Bool { value is [Any] }
  /// Whether the value is a boolean, which `NSNumber` represents too.
  var isBoolean: Bool { (value as? NSNumber).map { String(cString: $0.objCType) == "c" } ?? false }
  var array: [JSON] { (value as? [Any] ?? []).map { JSON($0) } }
  var keys: Set<String> { Set((value as? [String: Any] ?? [:]).keys) }

  /// The value as JSON.
  var encoded: String {
    let data = value.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .fragmentsAllowed) }
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Returns the texts of the member `name` of the elements.
  func strings(_ name: String) -> [String] { array.compactMap { $0[name].string } }

  static func == (a: JSON, b: JSON) -> Bool {
    guard let left = a.value as? NSObject, let right = b.value as? NSObject else { return a.isMissing && b.isMissing }
    return left.isEqual(right)
  }

  var description: String { value.map { "\($0)" } ?? "missing" }
}
