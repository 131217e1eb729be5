internal import HTTPAPI
internal import Messages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// The page of one session: its coordinator tree, its presentation, its visible screen, its history, and its data.
struct InspectionPage {
  let inspection: Inspection
  /// The state of the pending work; empty for an earlier revision.
  let statuses: [WorkStatus]
  /// The requested revision; nil for the latest.
  let asked: UInt64?
  let etag: String
  let apps: [AppDefinition]

  /// The maximum number of history entries that are listed before and after the shown revision.
  private static let range: UInt64 = 200

  private var summary: SessionSummary { inspection.summary }
  private var listed: ListedSession { inspection.summary.listed }
  private var latest: UInt64 { listed.session?.revision ?? 0 }
  private var revision: UInt64 { asked ?? latest }

  /// Returns an entity tag that changes with the session, its status, its pending work and the version of its app.
  static func etag(
    of summary: SessionSummary, _ work: [WorkStatus], at revision: UInt64?, _ sessions: SessionService
  ) -> String {
    let version = summary.session.map { String(UInt64(bitPattern: $0.version.rawValue), radix: 36) } ?? ""
    let app = sessions.app(named: summary.listed.app)?.version ?? 0
    let errors = work.filter { $0.error != nil }.map { ".\($0.id).\($0.attempts)\($0.isStuck ? "s" : "")" }.joined()
    return "\"\(version)-\(summary.status.rawValue)-\(revision ?? 0)-\(app)\(errors)\""
  }

  var response: Response {
    var response = Response.console("inspection", values)
    response.headers.append(("ETag", etag))
    return response
  }

  private var values: TemplateValue {
    let shown = try? inspection.shown.get()
    let history = inspection.history.filter {
      $0.revision + Self.range >= revision && $0.revision <= revision + Self.range
    }
    return [
      "title": .text("Session \(listed.key.short)"), "frame": .frame(apps, sessions: "true"), "tag": .text(etag),
      // An earlier revision never changes.
      "isLive": .flag(asked == nil && summary.status == .active),
      "key": .text(listed.key.hexadecimal), "short": .text(listed.key.short), "status": .text(summary.status.rawValue),
      "app": .text(listed.app), "isHosted": .flag(apps.contains { $0.name == listed.app }),
      "revision": .text("\(revision)"), "latest": .text("\(latest)"), "created": .text(listed.createdAt.text),
      "expires": .text(listed.expiresAt.text), "idle": .text(shown?.idleLimit), "locale": .text(listed.session?.locale),
      "timeZone": .text(listed.session?.timeZone), "travel": travel,
      "obstacle": obstacle.map { ["sentence": .text($0)] }, "shown": shown.map { self.shown($0) },
      "history": .list(history.reversed().map(row)),
      "cut": history.count < inspection.history.count ? .text("\(inspection.history.count)") : nil,
    ]
  }

  private var obstacle: String? {
    if case .failure(let obstacle) = inspection.shown { obstacle.sentence } else { nil }
  }

  private func address(_ revision: UInt64) -> TemplateValue {
    let path = ConsoleOperations.address(of: listed.key)
    return .text(revision == latest ? path : "\(path)?revision=\(revision)")
  }

  /// The links to other revisions that can be shown.
  private var travel: TemplateValue? {
    guard let revisions = inspection.revisions else { return nil }
    let earlier = revision > revisions.lowerBound ? min(revision - 1, revisions.upperBound) : nil
    let later = revision < revisions.upperBound ? max(revision + 1, revisions.lowerBound) : nil
    return [
      "first": revision == revisions.lowerBound ? nil : address(revisions.lowerBound),
      "earlier": earlier.map(address), "later": later.map(address),
      "last": revision == latest ? nil : address(latest),
    ]
  }

  private func shown(_ snapshot: Snapshot) -> TemplateValue {
    let visible = snapshot.visible
    let hidden = HiddenValues(in: snapshot.state, of: snapshot.app, snapshot.language)
    var state = JSONWriter(capacity: 4096)
    state.state(snapshot.state, of: snapshot.app, hidden)
    return [
      "picture": NavigationPicture(of: snapshot.app, snapshot.state, hidden).templateValue,
      "work": snapshot.state.work.isEmpty
        ? nil : ["items": .list(snapshot.state.work.map { work($0, of: snapshot, hidden) })],
      "pending": snapshot.state.pending.map { pending($0, of: snapshot) },
      "screen": .text(hidden.hiding(visible.title.string)),
      "content": .list(visible.content.map { hidden.hiding($0.asText.templateValue()) }),
      "actions": .list(visible.actions.map { action($0, hidden) } + systemNavigation(visible, hidden)),
      "prompt": visible.prompt.map { prompt in
        [
          "question": .text(hidden.hiding(prompt.title.string)),
          "message": .text(hidden.hiding(prompt.message.string)),
          "buttons": .list(
            prompt.buttons.map { button in
              switch button {
              case .action(let offered): action(offered, hidden)
              case .answer(let answer, let label): ["label": .text(label.string), "name": .text(answer.rawValue)]
              }
            }),
        ]
      },
      "view": .text(IndentedJSON.text(of: hidden.hiding(view: snapshot.json.finish()))),
      "state": .text(IndentedJSON.text(of: state.finish())),
    ]
  }

  private func pending(_ intent: PendingIntent, of snapshot: Snapshot) -> TemplateValue {
    let guardian = snapshot.state.node(intent.guardian).map { snapshot.app.name(of: $0) }
    return [
      "intent": .text(intent.summary(snapshot.app)), "guardian": .text(guardian ?? "\(intent.guardian)"),
      "awaited": intent.awaited == .nothing ? nil : .text(intent.awaited.summary),
    ]
  }

  private func work(_ work: PendingWork, of snapshot: Snapshot, _ hidden: HiddenValues) -> TemplateValue {
    let owner = snapshot.state.node(work.owner).map { snapshot.app.name(of: $0) }
    let (kind, time) =
      switch work.content {
      case .effect: ("effect", "since \(work.since.text)")
      case .signal: ("signal", "since \(work.since.text)")
      case .timer(let timer): ("timer", "due \(timer.dueAt.text)")
      }
    let status = statuses.first { $0.id == work.id }
    let path = "\(ConsoleOperations.address(of: listed.key))/work/\(work.id)"
    return [
      "id": .text("\(work.id)"), "kind": .text(kind), "name": .text(snapshot.app.name(of: work)), "owner": .text(owner),
      "time": .text(time),
      "attempts": status.flatMap { $0.attempts > 0 ? .text("\($0.attempts)") : nil },
      "failure": status?.error.map { error in
        [
          "sentence": .text(hidden.hiding(error)), "isStuck": .flag(status?.isStuck == true),
          "waits": status?.wait.map { ["since": .text($0.since.text)] },
          "retry": .text("\(path)/retry"),
          "giveUp": .text("\(path)/give-up"),
        ]
      },
    ]
  }

  private func action(_ offered: OfferedAction, _ hidden: HiddenValues) -> TemplateValue {
    [
      "label": .text(offered.definition.title.string), "name": .text(offered.definition.name),
      "reason": .text(offered.disabled.map { hidden.hiding($0.sentence()) }),
    ]
  }

  /// Returns the system navigation, which the view offers beside the actions.
  private func systemNavigation(_ visible: VisibleScreen, _ hidden: HiddenValues) -> [TemplateValue] {
    func item(_ label: String, _ name: String) -> TemplateValue { ["label": .text(label), "name": .text(name)] }
    return (visible.back.map { [item("Back to \(hidden.hiding($0.title.string))", "back")] } ?? [])
      + (visible.canDismiss ? [item("Close", "dismiss")] : [])
      + visible.tabBars.flatMap(\.selectable).map { item($0.title.string, "tabs/\($0.name)") }
  }

  private func row(_ entry: JournalEntry) -> TemplateValue {
    [
      "revision": .text("\(entry.revision)"), "isShown": .flag(entry.revision == revision),
      "href": inspection.revisions?.contains(entry.revision) == true ? address(entry.revision) : nil,
      "at": .text(entry.at.text), "name": .text(entry.name), "screen": .text(entry.screen),
      "input": entry.input.count == 0 ? nil : .text("\(entry.input)".shortened),
      "link": .text(entry.link),
    ]
  }
}

extension Block {
  /// The block without links and images, because the user of the session may have typed their addresses.
  fileprivate var asText: Block {
    switch self {
    case .image(let source, let alternative): .text("Image: \(alternative) (\(source))")
    case .link(let text, let href): .text("Link: \(text) (\(href))")
    case .list(let list): .list(list.page(from: 0).items.map { .init($0.title, detail: $0.detail) })
    case .section(let section): .section(section.title, isOpen: section.isOpen, section.content.map(\.asText))
    default: self
    }
  }
}

extension Snapshot {
  /// The idle limit of the session, such as `1800 s`; nil without one.
  fileprivate var idleLimit: String? {
    hasIdleLimit ? navigation.app.life?.idle.map { "\($0 / 1000) s" } : nil
  }
}
