internal import MicroHTTP
internal import Navigation
internal import Sessions

/// The sessions that there are, the newest first.
struct SessionListPage {
  /// Sessions on one page.
  static let size = 50

  let apps: [AppDefinition]
  let filter: SessionFilter

  func response(_ found: FoundSessions) -> Response {
    response(
      found.sessions,
      [
        "older": found.next.map { .text(filter.address(before: $0)) },
        "isCutShort": .flag(found.next != nil && found.sessions.count < Self.size),
        "scanned": .text("\(found.scanned)"),
      ])
  }

  /// Of the sessions of one key.
  func response(_ sessions: [SessionSummary]) -> Response { response(sessions, [:]) }

  private func response(_ sessions: [SessionSummary], _ paging: TemplateValue) -> Response {
    let search = filter.search
    let screens = Set(apps.flatMap { $0.screens.map(\.name) }).sorted()
    return .page(
      .sessionList,
      [
        "title": "Sessions", "frame": .frame(apps, at: .list), "paging": paging,
        "newest": search.before < .end ? .text(filter.address(before: nil)) : nil,
        "isEmpty": .flag(sessions.isEmpty), "key": .text(filter.key?.digits),
        "isFiltered": .flag(!search.isUnfiltered || filter.key != nil),
        "appChoices": choices(appNames, search.app),
        "statusChoices": choices(SessionSummary.Status.allCases.map(\.rawValue), search.status?.rawValue),
        "screens": .list(screens.map { ["name": .text($0)] }), "screen": .text(search.screen ?? ""),
        "sessions": .list(sessions.map(row)),
      ])
  }

  /// Those of apps that are hosted, and the one that is searched for.
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
