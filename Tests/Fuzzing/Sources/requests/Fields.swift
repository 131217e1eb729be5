import Sessions

@testable import Fuzzing
@testable import HTTPAPI
@testable import Sessions

func checkIdempotencyKey(_ header: String) {
  guard let key = try? IdempotencyKey.parse(header) else { return }
  hold((1...255).contains(key.utf8.count) && key.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(key) is no key")
  hold((try? IdempotencyKey.parse("\"\(key)\"")) == key, "\(key) in quotes is another key")
}

/// What a client prefers does not depend on how it writes it.
func checkMediaTypes(_ header: String) {
  let chosen = try? MediaType.representation(header)
  let spaced = header.replacing(",", with: " , ").replacing(";", with: " ;\t")
  hold((try? MediaType.representation(spaced)) == chosen, "\(header) is another preference with blanks")
  let isSame = (try? MediaType.representation(header.uppercased())) == chosen
  hold(isSame || !header.utf8.allSatisfy { $0 < 0x80 }, "\(header) is another preference in capitals")
  if let chosen, !header.isEmpty {
    let isAccepted = (try? MediaType.requireAcceptable(header, chosen.mediaType)) != nil
    hold(isAccepted, "\(chosen) is chosen and not acceptable")
  }
  let isJSON = (try? MediaType.requireJSON(header)) != nil
  hold(!(isJSON && MediaType.isForm(header)), "\(header) is JSON and a form")
}

func checkRevision(query: String?, header: String) {
  guard let seen = try? SeenRevision(query: query, header: header.isEmpty ? nil : header) else { return }
  if let query { hold(seen.revision.map { "\($0)" } == query, "\(query) is read as \(seen.revision ?? 0)") }
  hold(seen.revision ?? 0 <= UInt64(Int64.max), "\(header) is no revision")
  guard query == nil, let revision = seen.revision, revision > 0 else { return }
  let tags = ["", "-html", "-text", "-siren"].map { "\"\(revision)\($0)\"" }
  hold(tags.contains(header), "\(header) is read as \(revision)")
}

/// Ids, keys and their prefixes are their text.
func checkSessionIdentity(_ text: String) {
  if let code = HandOverCode(text) { hold(code.text == text, "\(text) is the code \(code.text)") }
  if let id = SessionID(text) {
    hold(id.text == text, "\(text) is the id \(id.text)")
    hold(SessionID(id.bits) == id.bare, "\(text) has other bits")
    hold(id.hasSecret == (id.secretDigest != nil) && SessionKey(id.bare) == SessionKey(id), "\(text) has another key")
    let key = SessionKey(id)
    hold(SessionKey(digits: key.digits) == key, "the key of \(text) has other digits")
    hold(SessionKey(bytes: key.bytes) == key, "the key of \(text) has other bytes")
    hold(SealedSessionID(id, under: text).open(with: text, of: key) == id.bare, "\(text) is not unsealed")
  }
  if let key = SessionKey(digits: text) { hold(key.digits == text.lowercased(), "\(text) is the key \(key.digits)") }
  if let prefix = SessionKeyPrefix(text) {
    let key = SessionKey(digits: prefix.digits + String(repeating: "7", count: 64 - prefix.digits.utf8.count))!
    hold(prefix.matches(key) && prefix.numbers.contains(key.number), "\(text) does not match its key")
  }
}
