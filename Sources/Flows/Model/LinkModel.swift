internal import YAML

/// A deep link.
struct LinkModel {
  static let form = Form("link", "A deep link with declared fields.", LinkModel.init)

  let pattern: YAMLKey
  let input: YAMLNode?
  let steps: [LinkStepModel]

  init(_ keys: inout Keys) {
    pattern = keys.name
    input = keys("input", .inputs, "The fields. Those that are not in the path come from the query.")
    steps = keys("steps", .list(.object(LinkStepModel.form, isKept: true)), isRequired: true, "The steps.")
  }

  init(pattern: YAMLKey, steps: [LinkStepModel]) {
    (self.pattern, input, self.steps) = (pattern, nil, steps)
  }
}

/// A step of a deep link, or one that a command follows.
struct LinkStepModel {
  static let form = Form(
    "step of a link", "A step of a deep link, as a user would take it.", LinkStepModel.init)

  let tab: YAMLKey?
  let action: YAMLKey?
  let input: YAMLNode?
  let mark: SourceMark
  /// The first key that a step with a tab does not have; nil without one.
  let superfluousKey: YAMLKey?

  init(_ keys: inout Keys) {
    tab = keys("tab", .name("coordinator"), "Selects the tab of this coordinator.")
    action = keys("action", .name("action"), "Performs an action.")
    input = keys("with", .values(of: "FIELD"), "The input of the action.")
    mark = keys.mark
    let others = ["action", "with"].lazy.compactMap { [keys] name in
      keys.mark(of: name).map { YAMLKey(name: name, mark: $0) }
    }
    superfluousKey = keys.mark(of: "tab") == nil ? nil : others.first
  }
}
