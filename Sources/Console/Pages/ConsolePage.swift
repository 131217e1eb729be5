internal import HTTPAPI
internal import MicroHTTP
internal import Navigation
internal import WebPages

extension Response {
  /// Creates the response of a page of the console, which loads no image from elsewhere.
  static func console(_ template: StaticString, _ values: TemplateValue, status: Int = 200) -> Response {
    .page(PageTemplates.console.render(template, values), status: status, images: "data:")
  }
}

extension PageTemplates {
  /// The templates of the console. Its pages are rare, and no two of them have the same shape.
  fileprivate static let console = PageTemplates(
    [
      "console": PackageResources.console_mustache, "sessionList": PackageResources.sessionList_mustache,
      "inspection": PackageResources.inspection_mustache, "outline": PackageResources.outline_mustache,
      "consoleProblem": PackageResources.consoleProblem_mustache, "picture": PackageResources.picture_mustache,
      "graph": PackageResources.graph_mustache,
    ].merging(shared) { own, _ in own }, keepsRenderings: false)
}

/// The section of the console that a page belongs to.
enum ConsoleSection {
  case list, session
  /// The app with this name.
  case app(String)
  case elsewhere
}

extension TemplateValue {
  /// Returns the navigation around a page. `current` is the value of `aria-current`: `page` for the page itself, `true`
  /// for its section.
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
