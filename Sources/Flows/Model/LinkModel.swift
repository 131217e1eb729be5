internal import YAML

/// A deep link.
struct LinkModel {
  static let form = Form("link", "A deep link with declared fields.") { LinkModel() }

  let pattern = Keys.current.name
  let input = key("input", .inputs, "The fields. Those that are not in the path come from the query.")
  var steps = key("steps", .list(.object(LinkStepModel.form, isKept: true)), isRequired: true, "The steps.")
}

/// A step of a deep link, or one that a command follows.
struct LinkStepModel {
  static let form = Form("step of a link", "A step of a deep link, as a user would take it.", LinkStepModel.init)

  let tab = key("tab", .name("coordinator"), "Selects the tab of this coordinator.")
  let action = key("action", .name("action"), "Performs an action.")
  let input = key("with", .values(of: "FIELD"), "The input of the action.")
  let mark = Keys.current.mark
  /// The first key that a step with a tab does not have; nil without one.
  let superfluousKey =
    Keys.current.key("tab") == nil ? nil : Keys.current.key("action") ?? Keys.current.key("with")
}
