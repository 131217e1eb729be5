internal import HTTPAPI
internal import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// The list of sessions, newest first.
struct SessionListPage {
  /// The number of sessions on one page.
  static let size = 50

  let apps: [AppDefinition]
  /// The faults of the files of flows.
  let faults: [AppRegistry.Fault]
  let filter: SessionFilter

  /// - Parameter found: the part of a search that the page shows; nil for all sessions with one key prefix.
  func response(_ sessions: [SessionSummary], of found: FoundSessions? = nil) -> Response {
    let search = filter.search
    let paging: TemplateValue? = found.map { found in
      [
        "older": found.next.map { .text(filter.address(before: $0)) },
        "isCutShort": .flag(found.next != nil && found.sessions.count < Self.size),
        "scanned": .text("\(found.scanned)"),
      ]
    }
    let screens = Set(apps.flatMap { $0.screens.map(\.name) }).sorted()
    return .console(
      "sessionList",
      [
        "title": "Sessions", "frame": .frame(apps, sessions: "page"), "paging": paging,
        "faults": faults.isEmpty
          ? nil : ["items": .list(faults.map { ["folder": .text($0.folder), "text": .text($0.text)] })],
        "newest": search.before < .end ? .text(filter.address(before: nil)) : nil,
        "isEmpty": .flag(sessions.isEmpty), "key": .text(filter.key?.digits),
        "isFiltered": .flag(!search.isUnfiltered || filter.key != nil),
        "appChoices": choices(appNames, search.app),
        "statusChoices": choices(SessionSummary.Status.allCases.map(\.rawValue), search.status?.rawValue),
        "screens": .list(screens.map { ["name": .text($0)] }), "screen": .text(search.screen ?? ""),
        "sessions": .list(sessions.map(row)),
      ])
  }

  /// The names of the hosted apps, and of the app in the filter.
  private var appNames: [String] {
    let hosted = apps.map(\.name)
    return hosted + (filter.search.app.map { hosted.contains($0) ? [] : [$0] } ?? [])
  }

  private func choices(_ values: [String], _ chosen: String?) -> TemplateValue {
    .list(values.map { ["value": .text($0), "isChosen": .flag($0 == chosen)] })
  }

  private func row(_ summary: SessionSummary) -> TemplateValue {
    let listed = summary.listed
    return [
      "short": .text(listed.key.short), "href": .text(ConsoleOperations.address(of: listed.key)),
      "app": .text(listed.app), "status": .text(summary.status.rawValue), "screen": .text(summary.screen),
      "revision": .text(listed.session.map { "\($0.revision)" } ?? ""), "last": .text(summary.last?.name ?? ""),
      "created": .text(listed.createdAt.text), "changed": .text(summary.last?.at.text ?? ""),
    ]
  }
}

/// The filter of the list of sessions, from the query.
struct SessionFilter {
  var search = SessionSearch()
  let key: SessionKeyPrefix?

  /// Creates the filter of a request. An empty parameter filters nothing, because a form sends every field.
  init(_ call: Call) throws(Problem) {
    search.app = call[query: "app"]?.ifNotEmpty
    search.screen = call[query: "screen"]?.ifNotEmpty
    if let status = call[query: "status"]?.ifNotEmpty {
      guard let known = SessionSummary.Status(rawValue: status) else {
        throw .invalidRequest("The query parameter status is not a status of a session.")
      }
      search.status = known
    }
    if let before = call[query: "before"]?.ifNotEmpty {
      guard let cursor = SessionCursor(before) else {
        throw .invalidRequest("The query parameter before is not a cursor of the list.")
      }
      search.before = cursor
    }
    let digits = call[query: "key"]
    key = digits.flatMap { SessionKeyPrefix($0) }
    guard digits == nil || key != nil else {
      throw .invalidRequest("The query parameter key is not 8 to 64 hexadecimal digits.")
    }
    guard key == nil || search.isUnfiltered && search.before == .end else {
      throw .invalidRequest("The query parameter key cannot be combined with others.")
    }
  }

  /// Returns the address of the list from a cursor on; nil starts with the newest session.
  func address(before cursor: SessionCursor?) -> String {
    let parameters: [(String, String?)] = [
      ("app", search.app), ("screen", search.screen), ("status", search.status?.rawValue), ("before", cursor?.text),
    ]
    let query = parameters.compactMap { name, value in value.map { "\(name)=\(percentEncoded($0))" } }
    return "/console" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
  }
}

extension SessionCursor {
  /// Parses a cursor of milliseconds and number, such as `1795176000000.-8372036854775807`.
  fileprivate init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let milliseconds = Int64(parts[0]), let number = Int64(parts[1]) else { return nil }
    self.init(createdAt: Timestamp(milliseconds: milliseconds), number: number)
  }

  fileprivate var text: String { "\(createdAt.milliseconds).\(number)" }
}

extension String {
  fileprivate var ifNotEmpty: String? { isEmpty ? nil : self }
}
