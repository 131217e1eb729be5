internal import Navigation

/// Where a page stands in the console.
enum ConsoleSection {
  case list, session
  /// Of the app of this name.
  case app(String)
  case elsewhere
}

extension TemplateValue {
  /// What every page of the console has around it. `current` is the value of `aria-current`: the page itself, or what it belongs to.
  static func frame(_ apps: [AppDefinition], at section: ConsoleSection) -> TemplateValue {
    let sessions: TemplateValue?
    var name: String?
    switch section {
    case .list: sessions = "page"
    case .session: sessions = "true"
    case .app(let app): (sessions, name) = (nil, app)
    case .elsewhere: sessions = nil
    }
    return [
      "current": sessions,
      "apps": .list(
        apps.map { app in
          ["name": .text(app.name), "label": .text(app.title.string), "isCurrent": .flag(app.name == name)]
        }),
    ]
  }
}
