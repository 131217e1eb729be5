/// A response as it came over the wire; header names in lower case.
struct RawResponse {
  let status: Int
  let headers: [String: String]
  var body = ""

  init(head: ArraySlice<UInt8>) throws {
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    guard let first = lines.first?.split(separator: " "), first.count > 1, let status = Int(first[1]) else {
      throw RawClient.Failure.unreadable(String(decoding: head, as: UTF8.self))
    }
    self.status = status
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[line[..<colon].lowercased()] = line[line.index(after: colon)...].drop { $0 == " " }.description
    }
    self.headers = headers
  }

  var closes: Bool { headers["connection"] == "close" }
}
