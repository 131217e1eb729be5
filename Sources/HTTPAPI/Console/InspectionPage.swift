internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

/// One session: its coordinator tree beside its presentation, the screen that shows, its history, and all of it as data.
struct InspectionPage {
  let inspection: Inspection
  /// The revision that was asked for; nil for the latest.
  let asked: UInt64?
  let apps: [AppDefinition]

  private var summary: SessionSummary { inspection.summary }
  private var session: StoredSession { inspection.summary.session }
  private var revision: UInt64 { asked ?? session.revision }

  var response: Response {
    var response = Response.page(.inspection, values)
    response.headers.append(("ETag", etag))
    return response
  }

  /// Changes with the session, and with the time only as far as that shows.
  var etag: String { "\"\(UInt64(bitPattern: session.version.rawValue))-\(summary.status.rawValue)-\(revision)\"" }

  private var values: TemplateValue {
    let shown = try? inspection.shown.get()
    return [
      "title": .text("Session \(session.key.short)"), "frame": .frame(apps),
      // An earlier revision never changes.
      "isLive": .flag(asked == nil && summary.status == .active),
      "key": .text(session.key.digits), "short": .text(session.key.short), "status": .text(summary.status.rawValue),
      "app": .text(session.app),
      "isHosted": .flag(apps.contains { $0.name == session.app }), "revision": .text("\(revision)"),
      "latest": .text("\(session.revision)"), "created": .text(session.createdAt.text),
      "expires": .text(session.expiresAt.text), "locale": .text(session.locale), "travel": travel,
      "obstacle": obstacle.map { ["sentence": .text($0)] }, "shown": shown.map { self.shown($0) },
      "history": .list(inspection.history.reversed().map(row)),
    ]
  }

  private var obstacle: String? {
    if case .failure(let obstacle) = inspection.shown { obstacle.sentence } else { nil }
  }

  private func address(_ revision: UInt64) -> TemplateValue {
    let path = "/console/sessions/\(session.key.digits)"
    return .text(revision == session.revision ? path : "\(path)?revision=\(revision)")
  }

  /// The way to other revisions, as far as they can be shown.
  private var travel: TemplateValue? {
    guard let revisions = inspection.revisions else { return nil }
    let reached = min(max(revision, revisions.lowerBound), revisions.upperBound)
    return [
      "first": reached > revisions.lowerBound ? address(revisions.lowerBound) : nil,
      "earlier": reached > revisions.lowerBound ? address(reached - 1) : nil,
      "later": reached < revisions.upperBound ? address(reached + 1) : nil,
      "last": revision != session.revision ? address(session.revision) : nil,
    ]
  }

  private func shown(_ snapshot: Snapshot) -> TemplateValue {
    let visible = snapshot.visible
    var state = JSONWriter(capacity: 4096)
    state.state(snapshot.state, of: snapshot.app)
    return [
      "picture": NavigationPicture(of: snapshot.app, snapshot.state).templateValue,
      "pending": snapshot.state.pending.map {
        ["wish": .text($0.summary), "awaited": .text($0.awaited.summary), "guardian": .text("\($0.guardian)")]
      },
      "screen": .text(visible.title.string), "content": .list(visible.content.map(\.templateValue)),
      "actions": .list(visible.actions.map(action) + ways(visible)),
      "prompt": visible.prompt.map { prompt in
        [
          "question": .text(prompt.title.string), "message": .text(prompt.message.string),
          "buttons": .list(
            prompt.buttons.map { button in
              switch button {
              case .action(let offered): action(offered)
              case .answer(let answer, let label): ["label": .text(label.string), "name": .text(answer.rawValue)]
              }
            }),
        ]
      },
      "view": .text(IndentedJSON.text(of: snapshot.json.finish())),
      "state": .text(IndentedJSON.text(of: state.finish())),
    ]
  }

  private func action(_ offered: OfferedAction) -> TemplateValue {
    [
      "label": .text(offered.definition.title.string), "name": .text(offered.definition.name),
      "reason": .text(offered.disabled?.string),
    ]
  }

  /// What the system offers beside the actions.
  private func ways(_ visible: VisibleScreen) -> [TemplateValue] {
    func way(_ label: String, _ name: String) -> TemplateValue { ["label": .text(label), "name": .text(name)] }
    let tabs = visible.tabBar.map { zip($0.tabs, visible.canSelect).filter(\.1).map(\.0) } ?? []
    return (visible.back.map { [way("Back to \($0.title.string)", "back")] } ?? [])
      + (visible.canDismiss ? [way("Close", "dismiss")] : [])
      + tabs.map { way($0.title.string, "tabs/\($0.name)") }
  }

  private func row(_ entry: JournalEntry) -> TemplateValue {
    [
      "revision": .text("\(entry.revision)"), "isShown": .flag(entry.revision == revision),
      "href": inspection.revisions?.contains(entry.revision) == true ? address(entry.revision) : nil,
      "at": .text(entry.at.text), "name": .text(entry.name), "screen": .text(entry.screen),
      "input": entry.input.count == 0 ? nil : .text(String(decoding: entry.input.json, as: UTF8.self)),
      "link": .text(entry.link),
    ]
  }
}
