import Navigation
import Values

@testable import Console
@testable import Fuzzing
@testable import HTTPAPI
@testable import Languages
@testable import MicroHTTP
@testable import Sessions

/// Runs one of the parsers of request heads and forms.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  switch input.byte() % 6 {
  case 0: checkTarget(input.remainder())
  case 1: checkForm(input.remainder())
  case 2: checkIdempotencyKey(input.field())
  case 3: checkMediaTypes(input.field())
  case 4: checkRevision(query: input.byte() & 1 == 0 ? nil : input.text(), header: input.field())
  default: checkSessionIdentity(input.field())
  }
  return 0
}

extension Input {
  /// Consumes the rest as the value of a header, without control characters and surrounding blanks.
  mutating func field() -> String {
    let bytes = remainder().filter { $0 >= 0x20 && $0 != 0x7F }
    let text = String(decoding: bytes, as: UTF8.self).drop { $0 == " " }
    return String(text.reversed().drop { $0 == " " }.reversed())
  }
}

/// Checks the parsing of a request target and of its parts.
func checkTarget(_ bytes: [UInt8]) {
  let line = bytes.prefix { $0 != 0 } + [0]
  let target = line.withUnsafeBufferPointer { buffer in
    buffer.withMemoryRebound(to: CChar.self) { RequestTarget($0.baseAddress!, length: buffer.count - 1)?.path }
  }
  guard let target else { return }
  hold(target == "*" || target.hasPrefix("/"), "\(target) is not in origin form")
  hold(target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "\(target) contains characters that no URI has")
  if line.first == UInt8(ascii: "/") { hold(target.utf8.elementsEqual(line.dropLast()), "\(target) is another target") }
  for routes in [API.routes, Console.routes] { checkRoutes(routes, target) }
  checkQuery(target)
}

/// Checks that at most one route matches, and that each placeholder has the value that a plain parser finds.
private func checkRoutes(_ routes: [HTTPAPI.Route], _ target: String) {
  let path = RequestPath(target)
  let parts = target.prefix { $0 != "?" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
  var found: [HTTPAPI.Route] = []
  for route in routes where path.matches(route) {
    hold(!found.contains { $0.method == route.method }, "\(target) matches \(route.path) twice")
    found.append(route)
    let isFit =
      route.segments.isEmpty
      ? parts == [""] || parts.isEmpty
      : parts.count == route.segments.count || route.takesRest && parts.count > route.segments.count
    hold(isFit, "\(target) does not match \(route.path)")
    for (place, segment) in route.segments.enumerated() {
      switch segment {
      case .literal(let literal):
        hold(parts[place].utf8.elementsEqual(literal), "\(target) does not match \(route.path)")
      case .parameter:
        let text = path.segment(place)
        hold(text == plainlyDecoded(parts[place]), "\(parts[place]) is read as \(text ?? "nothing")")
        if let text { hold(percentDecoded(Substring(percentEncoded(text))) == text, "\(text) is not read again") }
      case .rest:
        let rest = parts[place...].map { "/" + $0 }.joined()
        hold(path.rest(from: place) == rest, "\(target) has another rest than \(rest)")
      }
    }
    if let id = path.sessionID(2) { hold(path.segment(2) == id.text, "\(target) has another session's id") }
  }
}

/// Checks that the parameters of a query survive a round trip.
private func checkQuery(_ target: String) {
  guard let items = try? RequestPath(target).queryItems() else { return }
  let again = items.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&")
  let same = holdsWithoutError("a written query is refused") { try RequestPath("/?" + again).queryItems() }
  hold(same.map(\.name) == items.map(\.name) && same.map(\.value) == items.map(\.value), "\(target) has another query")
}

/// Decodes percent-encoding (RFC 3986, section 2.1). Returns nil if the result is not UTF-8.
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

/// Checks that the fields of a form are those of a plain parser (URL Standard, section 5.1), and that they are refused
/// or make a valid input.
func checkForm(_ body: [UInt8]) {
  let expected = plainFields(of: body)
  guard let form = try? FormInput(body) else { return }
  guard let expected else { fatalError("a malformed form was accepted") }
  hold(form.isEmpty == expected.isEmpty, "the form has other fields")
  for (name, value) in expected {
    hold(form[name]?.utf8.elementsEqual(value.utf8) ?? false, "\(name) is \(form[name] ?? "not there")")
  }
  for app in FuzzedApp.all.map(\.app) {
    for action in app.actions {
      for language in ServiceLanguage.all {
        guard let checked = try? action.input.check(form.value(for: action.input, in: language)) else { continue }
        hold((try? action.input.check(checked)) == checked, "a checked input is invalid")
      }
    }
  }
}

/// Returns the fields of a form, or nil if its percent-encoding or its UTF-8 is invalid.
private func plainFields(of body: [UInt8]) -> [String: String]? {
  var fields: [String: String] = [:]
  for pair in body.split(separator: UInt8(ascii: "&")) {
    let sides = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = decoded(sides[0]), let value = decoded(sides.count > 1 ? sides[1] : []) else { return nil }
    fields[name] = value
  }
  return fields
}

private func decoded(_ bytes: ArraySlice<UInt8>) -> String? {
  let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
  guard let text = String(validating: spaced, as: UTF8.self).flatMap({ percentDecoded($0[...]) }) else { return nil }
  var lines: [UInt8] = []
  for byte in text.utf8 {
    if byte == 0x0A, lines.last == 0x0D { lines.removeLast() }
    lines.append(byte)
  }
  return String(decoding: lines, as: UTF8.self)
}

func checkIdempotencyKey(_ header: String) {
  guard let key = try? IdempotencyKey.parse(header) else { return }
  hold(
    (1...255).contains(key.utf8.count) && key.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(key) is an invalid key"
  )
  hold((try? IdempotencyKey.parse("\"\(key)\"")) == key, "\(key) in quotes is another key")
}

/// Checks that the preference of a client does not depend on blanks and capitals.
func checkMediaTypes(_ header: String) {
  let chosen = try? MediaType.representation(header)
  let spaced = header.replacing(",", with: " , ").replacing(";", with: " ;\t")
  hold((try? MediaType.representation(spaced)) == chosen, "\(header) is another preference with blanks")
  let isSame = (try? MediaType.representation(header.uppercased())) == chosen
  hold(isSame || !header.utf8.allSatisfy { $0 < 0x80 }, "\(header) is another preference in capitals")
  if let chosen, !header.isEmpty {
    let isAccepted = (try? MediaType.requireAcceptable(header, chosen.mediaType)) != nil
    hold(isAccepted, "\(chosen) is chosen, but not acceptable")
  }
  let isJSON = (try? MediaType.requireJSON(header)) != nil
  hold(!(isJSON && MediaType.isForm(header)), "\(header) is JSON and a form")
}

func checkRevision(query: String?, header: String) {
  guard let seen = try? SeenRevision(query: query, header: header.isEmpty ? nil : header) else { return }
  if let query { hold(seen.revision.map { "\($0)" } == query, "\(query) is read as \(seen.revision ?? 0)") }
  hold(seen.revision ?? 0 <= UInt64(Int64.max), "\(header) is beyond the maximum revision")
  guard query == nil, let revision = seen.revision, revision > 0 else { return }
  let tags = ["", "-html", "-text", "-siren"].map { "\"\(revision)\($0)\"" }
  hold(tags.contains(header), "\(header) is read as \(revision)")
}

/// Checks that IDs, keys and their prefixes survive a round trip as text.
func checkSessionIdentity(_ text: String) {
  if let code = HandOverCode(text) { hold(code.text == text, "\(text) is the code \(code.text)") }
  if let id = SessionID(text) {
    hold(id.text == text, "\(text) is the id \(id.text)")
    hold(SessionID(id.bits) == id.bare, "\(text) has other bits")
    hold(id.hasSecret == (id.secretDigest != nil) && SessionKey(id.bare) == SessionKey(id), "\(text) has another key")
    let key = SessionKey(id)
    hold(SessionKey(hexadecimal: key.hexadecimal) == key, "the key of \(text) has other digits")
    hold(SessionKey(bytes: key.bytes) == key, "the key of \(text) has other bytes")
    hold(SealedSessionID(id, under: text).open(with: text, of: key) == id.bare, "\(text) is not unsealed")
  }
  if let key = SessionKey(hexadecimal: text) {
    hold(key.hexadecimal == text.lowercased(), "\(text) is the key \(key.hexadecimal)")
  }
  if let prefix = SessionKeyPrefix(text) {
    let key = SessionKey(hexadecimal: prefix.digits + String(repeating: "7", count: 64 - prefix.digits.utf8.count))!
    hold(prefix.matches(key) && prefix.numbers.contains(key.number), "\(text) does not match its key")
  }
}
