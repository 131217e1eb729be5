internal import Navigation
internal import Synchronization
internal import Values

/// The JSON of the names, titles and schemas of an app, encoded once for all views.
///
/// It never changes, so it is safe to share.
final class AppLabels: AppRepresentation, @unchecked Sendable {
  struct ActionLabel {
    /// `"name":…,"title":…,"role":…`
    let label: [UInt8]
    /// The JSON Schema of the input.
    let schema: [UInt8]
  }
  /// By the index of the action in the app.
  let actions: [ActionLabel]
  /// By the index of the screen in the app: `"name":…,"title":…`; nil if the title is made from the screen's values.
  let screens: [[UInt8]?]

  fileprivate init(_ app: AppDefinition) {
    actions = app.actions.map { action in
      var json = JSONWriter()
      json.label(action.name, action.title)
      json.key(literal: "role")
      json.string(action.role.rawValue)
      return ActionLabel(label: json.finish(), schema: action.input.jsonSchema.json)
    }
    screens = app.screens.map { screen in
      screen.fixedTitle.map { title in
        var json = JSONWriter()
        json.label(screen.name, title)
        return json.finish()
      }
    }
  }
}

extension AppDefinition {
  /// The encoded labels of the app, made at the first call.
  var labels: AppLabels {
    let labels = representation.load() ?? representation.storeIfNil(AppLabels(self))
    // Only this property stores a representation.
    return unsafeDowncast(labels, to: AppLabels.self)
  }
}

extension JSONWriter {
  /// Writes the members `name` and `title`.
  fileprivate mutating func label(_ name: String, _ title: Text) {
    key(literal: "name")
    string(name)
    key(literal: "title")
    string(title.string)
  }
}
