internal import Navigation

extension TemplateValue {
  /// What every page of the console has around it.
  ///
  /// - Parameter current: the name of the app that the page is about.
  static func frame(_ apps: [AppDefinition], current: String? = nil) -> TemplateValue {
    [
      "isList": .flag(current == nil),
      "apps": .list(
        apps.map { app in
          ["name": .text(app.name), "label": .text(app.title.string), "isCurrent": .flag(app.name == current)]
        }),
    ]
  }
}
