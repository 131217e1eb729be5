package import Navigation
package import Values

/// The start page: the hosted apps, each with the form that starts a session.
package struct StartPage {
  private let apps: [AppDefinition]
  private let refusal: PageRefusal?

  package init(apps: [AppDefinition], refusal: PageRefusal? = nil) {
    self.apps = apps
    self.refusal = refusal
  }

  package func render() -> ByteWriter { PageTemplates.webPages.render("apps", values) }

  /// The prefix of the app's input fields in the form, which keeps them apart from the form's own fields.
  package static let inputPrefix = "input."

  /// Returns a new idempotency key for a form, which makes one request of a double click.
  static func makeKey() -> String { String(UInt128.random(in: .min ... .max), radix: 36) }

  private var values: TemplateValue {
    let refused = refusal?.form
    let schema = apps.first { $0.name == refused?.name }?.input
    return [
      "language": "en", "title": "Apps",
      "refusal": refusal.map { $0.templateValue(schema, form: refused?.name ?? "") },
      "apps": .list(
        apps.map { app in
          [
            "name": .text(app.name), "label": .text(app.title.string),
            "key": .text(Self.makeKey()),
            "fields": app.input.templateValue(
              form: app.name, prefix: Self.inputPrefix, refused: refused?.name == app.name ? refused : nil),
          ]
        }),
    ]
  }
}
