internal import Languages
internal import MicroHTTP
internal import Sessions
internal import Values

/// `GET /v1/sessions/{id}/history`
extension Operations {
  static let history = Route.later { call in
    let after = try number("after", of: call, in: 0...Int.max) ?? 0
    let limit = try number("limit", of: call, in: 1...1000) ?? 100
    let id = try call.sessionID()
    return .json(journal(try await call.api.sessions.history(id, by: call.owner, after: UInt64(after), limit: limit)))
  }

  private static func number(
    _ name: String, of call: Call, in range: ClosedRange<Int>
  ) throws(Problem) -> Int? {
    guard let text = call[query: name] else { return nil }
    guard let number = Int(digits: text), range.contains(number) else {
      throw .invalidRequest(
        .queryNotWholeNumber,
        ["name": .text(name), "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }
    return number
  }

  private static func journal(_ entries: [JournalEntry]) -> JSONWriter {
    var json = JSONWriter(capacity: 1024)
    json.beginObject()
    json.objects("entries", entries) { json, entry in
      json.member("revision", Int(clamping: entry.revision))
      json.member("at", entry.at)
      json.member("kind", "\(entry.kind)")
      json.member("action", entry.name)
      json.member("input", entry.input)
      if entry.kind == .create, let link = entry.link { json.member("link", link) }
      json.member("screen", entry.screen)
    }
    json.endObject()
    return json
  }
}
