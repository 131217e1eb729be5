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

extension TemplateValue {
  /// Returns the navigation around a page.
  ///
  /// - Parameters:
  ///   - sessions: `aria-current` of the list of sessions: `page` for the list itself, `true` for a page in its section.
  ///   - app: the name of the app that the page is about.
  static func frame(_ apps: [AppDefinition], sessions: String? = nil, app current: String? = nil) -> TemplateValue {
    [
      "current": .text(sessions),
      "apps": .list(
        apps.map { app in
          ["name": .text(app.name), "label": .text(app.title.string), "isCurrent": .flag(app.name == current)]
        }),
    ]
  }
}
