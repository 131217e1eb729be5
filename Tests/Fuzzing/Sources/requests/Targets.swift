import Sessions
import Values

@testable import Console
@testable import Fuzzing
@testable import HTTPAPI
@testable import MicroHTTP

/// A target of a request line, in all its parts.
func checkTarget(_ bytes: [UInt8]) {
  let line = bytes.prefix { $0 != 0 } + [0]
  let target = line.withUnsafeBufferPointer { buffer in
    buffer.withMemoryRebound(to: CChar.self) { RequestTarget.parse($0.baseAddress!, length: buffer.count - 1) }
  }
  guard let target else { return }
  hold(target == "*" || target.hasPrefix("/"), "\(target) is not in origin form")
  hold(target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(target) has what no URI has")
  if line.first == UInt8(ascii: "/") { hold(target.utf8.elementsEqual(line.dropLast()), "\(target) is another target") }
  for routes in [API.routes, Console.routes] { checkRoutes(routes, target) }
  checkQuery(target)
}

/// At most one route fits, and each of its placeholders is what a plain reading of the path has in its place.
private func checkRoutes(_ routes: [HTTPAPI.Route], _ target: String) {
  let path = RequestPath(target)
  let parts = target.prefix { $0 != "?" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  var found: [HTTPAPI.Route] = []
  for route in routes where path.matches(route) {
    hold(!found.contains { $0.method == route.method }, "\(target) fits \(route.path) twice")
    found.append(route)
    let isFit = route.segments.isEmpty ? parts == [""] || parts.isEmpty : parts.count == route.segments.count
    hold(isFit, "\(target) does not fit \(route.path)")
    for (place, segment) in route.segments.enumerated() {
      switch segment {
      case .literal(let literal): hold(parts[place].utf8.elementsEqual(literal), "\(target) does not fit \(route.path)")
      case .parameter:
        let text = path.segment(place)
        hold(text == plainlyDecoded(parts[place]), "\(parts[place]) is read as \(text ?? "nothing")")
        if let text { hold(percentDecoded(Substring(percentEncoded(text))) == text, "\(text) is not read again") }
      }
    }
    if let id = path.sessionID(2) { hold(path.segment(2) == id.text, "\(target) has another session's id") }
  }
}

/// The parameters of a query, written again, are the same ones.
private func checkQuery(_ target: String) {
  guard let items = try? RequestPath(target).queryItems() else { return }
  let again = items.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&")
  let same = holdsWithoutError("what was written is not read") { try RequestPath("/?" + again).queryItems() }
  hold(same.map(\.name) == items.map(\.name) && same.map(\.value) == items.map(\.value), "\(target) has another query")
}

/// RFC 3986, section 2.1; nil for what is then no UTF-8.
private func plainlyDecoded(_ text: Substring) -> String? {
  var bytes: [UInt8] = []
  var rest = text
  while let first = rest.popFirst() {
    if first != "%" {
      bytes += first.utf8
    } else {
      guard let byte = UInt8(rest.prefix(2), radix: 16), rest.prefix(2).allSatisfy(\.isHexDigit), rest.count > 1 else {
        return nil
      }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
  }
  return String(validating: bytes, as: UTF8.self)
}
