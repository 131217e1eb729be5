internal import Languages

// The rules for the texts of an app. Texts that the code of the app makes are known when a view shows them only.
extension Registration {
  /// - Precondition: the declarations have their keys, and no language.
  mutating func checkTexts() {
    for fault in app.catalogue?.faults ?? [] {
      self.fault("\(app.name) › texts › \(fault.location)", .texts(fault.reason))
    }
    check([app.title] + [app.summary].compactMap { $0 }, at: app.name)
    check(app.inputFields.schema, at: "\(app.name) › input")
    for screen in screens {
      let question = screen.leaveQuestion
      check([screen.fixedTitle].compactMap { $0 }, at: screen.name)
      check([question.title, question.message, question.leave, question.stay], at: "\(screen.name) › leave question")
      for load in screen.loads { check([load.problem], at: "\(screen.name) › \(load.field)") }
    }
    for action in actions {
      check([action.title], at: action.name)
      check(action.input, at: action.name)
    }
    for link in links { check(link.input, at: link.pattern.text) }
  }

  private mutating func check(_ schema: InputSchema, at location: String) {
    for field in schema.fields {
      var texts: [Text] = []
      _ = field.withTexts { text in
        texts.append(text)
        return text
      }
      check(texts, at: "\(location) › \(field.name)")
    }
  }

  private mutating func check(_ texts: [Text], at location: String) {
    for key in texts.compactMap(\.key) {
      guard let catalogue = app.catalogue, catalogue.hasText(key.name) else {
        fault(location, .unknownText(key: key.name))
        continue
      }
      let given = key.arguments.map(\.name)
      for argument in catalogue.argumentNames(of: key.name).subtracting(given).sorted() {
        fault(location, .textWithoutArgument(key: key.name, argument: argument))
      }
      for case .text(let text) in key.arguments.map(\.value) { check([text], at: location) }
    }
  }
}
