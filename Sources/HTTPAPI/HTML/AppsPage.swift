internal import MicroHTTP
internal import Navigation

/// The apps that are hosted, each with what starts it.
struct AppsPage {
  let apps: [AppDefinition]
  var refusal: PageRefusal?

  var response: Response { .page(.apps, values, status: refusal?.status ?? 200) }

  /// An idempotency key for a form that starts a session: a double click is one.
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
              form: app.name, prefix: FormInput.inputPrefix, refused: refused?.name == app.name ? refused : nil),
          ]
        }),
    ]
  }
}
