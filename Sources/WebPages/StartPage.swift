package import Languages
package import Navigation
package import Values

/// The start page: a sentence about the service, and a card for each hosted app with the form that starts a session.
package enum StartPage {
  /// The prefix of the app's input fields in the form, which keeps them apart from the form's own fields.
  package static let inputPrefix = "input."

  /// Returns the language of the fields of an app: that of its texts, or else that of the page.
  package static func language(of app: AppDefinition, otherwise language: ServiceLanguage) -> ServiceLanguage {
    app.language.map { .of($0) } ?? language
  }

  /// Returns a new idempotency key for a form. With the key, a double click has the effect of one request.
  static func makeKey() -> String { String(UInt128.random(in: .min ... .max), radix: 36) }

  /// - Parameters:
  ///   - apps: the hosted apps, each in the language that the client prefers.
  ///   - language: the language of the service's own texts.
  package static func render(
    _ apps: [AppDefinition], in language: ServiceLanguage, refusal: PageRefusal? = nil
  ) -> ByteWriter {
    let refused = refusal?.form
    let refusing = apps.first { $0.name == refused?.name }
    let refusingLanguage = refusing.map { Self.language(of: $0, otherwise: language) } ?? language
    let values: TemplateValue = [
      "language": .text(language.tag), "title": "Usher", "hasScript": .flag(true),
      "refusal": refusal.map { $0.templateValue(refusing?.input, form: refused?.name ?? "", refusingLanguage) },
      "apps": .list(
        apps.map { app in
          [
            "name": .text(app.name), "appLanguage": app.language.map { .text($0) }, "label": .text(app.title.string),
            "summary": .text(app.summary?.string), "image": .text(app.image),
            "monogram": app.image == nil ? .text(app.monogram) : nil, "key": .text(Self.makeKey()),
            "fields": app.input.templateValue(
              form: app.name, prefix: Self.inputPrefix, Self.language(of: app, otherwise: language),
              refused: refused?.name == app.name ? refused : nil),
          ]
        }),
    ]
    return PageTemplates.webPages(in: language).render("apps", values)
  }
}

extension AppDefinition {
  /// The first letter or digit of the title, in upper case, in place of the picture of an app without one.
  var monogram: String {
    let character = title.string.first { $0.isLetter || $0.isNumber } ?? name.first
    return character?.uppercased() ?? ""
  }
}
