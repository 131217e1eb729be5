internal import Navigation
internal import Values

extension AppDefinition {
  /// The JSON of the names, titles and schemas of the app, encoded on first use.
  var labels: AppLabels { encodedLabels.value ?? encodedLabels.set(AppLabels(self)) }
}

extension AppLabels {
  /// Encodes `"name":…,"title":…` for each screen, and `"name":…,"title":…,"role":…` for each action.
  fileprivate convenience init(_ app: AppDefinition) {
    self.init(
      actions: app.actions.map { action in
        var json = JSONWriter()
        json.label(action.name, action.title)
        json.member("role", action.role.rawValue)
        return (json.finish(), action.input.jsonSchema.json)
      },
      screens: app.screens.map { screen in
        screen.fixedTitle.map { title in
          var json = JSONWriter()
          json.label(screen.name, title)
          return json.finish()
        }
      })
  }
}

extension JSONWriter {
  /// Writes the members `name` and `title`.
  fileprivate mutating func label(_ name: String, _ title: Text) {
    member("name", name)
    member("title", title.string)
  }
}
