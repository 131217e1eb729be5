/// What matters of one request on the wire.
struct WireRequest: Equatable, CustomStringConvertible {
  let method: String
  let target: String
  let body: [UInt8]
  /// Whether the head is far from every limit of a server.
  var isPlain = false

  static func == (one: WireRequest, other: WireRequest) -> Bool {
    one.method == other.method && one.target == other.target && one.body == other.body
  }

  var description: String { "\(method) \(target) \(String(decoding: body, as: UTF8.self).debugDescription)" }
}
