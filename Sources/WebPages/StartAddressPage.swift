package import Languages
package import Navigation
package import Values

/// The page of a start address: the app, and a form with one button that starts it.
package struct StartAddressPage: Sendable {
  private let app: AppDefinition
  private let serviceLanguage: ServiceLanguage
  /// The values of the address with which the fields begin.
  private let values: Value
  private let origin: String
  /// The address to which the form posts; nil if the address leads nowhere in the app.
  private var target: String?
  /// The part of the address behind that of the app which everybody may see.
  private var publicPath = ""

  /// Creates the page of an address that leads nowhere in the app.
  ///
  /// - Parameters:
  ///   - app: the app, in the language of the page.
  ///   - serviceLanguage: the language of the service's own texts.
  ///   - origin: the scheme and host of the addresses that link previews show.
  package init(_ app: AppDefinition, in serviceLanguage: ServiceLanguage, _ values: Value, origin: String) {
    self.app = app
    self.serviceLanguage = serviceLanguage
    self.values = values
    self.origin = origin
  }

  /// Returns the page with a form.
  ///
  /// - Parameter publicPath: the path and the query of the link without its secret and sensitive values.
  package func posting(to target: String, publicPath: String) -> StartAddressPage {
    var page = self
    (page.target, page.publicPath) = (target, publicPath)
    return page
  }

  /// The language of the page, as a tag.
  package var language: String { app.language ?? serviceLanguage.tag }

  package func render(refusal: PageRefusal? = nil) -> ByteWriter {
    let leadsNowhere = PageRefusal(detail: serviceLanguage(.addressLeadsNowhere), form: nil)
    let shown: PageRefusal? = target == nil ? leadsNowhere : refusal
    let hasBeginning = shown != nil && target != app.startPath
    let schema = app.input.beginning(with: values)
    let otherLanguage = language == serviceLanguage.tag ? nil : serviceLanguage.tag
    let content: TemplateValue = [
      "language": .text(language), "title": .text(app.title.string), "hasScript": .flag(target != nil),
      "card": target == nil ? nil : card, "appLanguage": .text(app.language), "wordsLanguage": .text(otherLanguage),
      "summary": .text(app.summary?.string), "image": .text(app.image),
      "monogram": app.image == nil ? .text(app.monogram) : nil,
      "refusal": shown.map { $0.templateValue(schema, form: app.name, serviceLanguage) },
      "beginning": hasBeginning ? .text(app.startPath) : nil,
      "starting": target.map { target -> TemplateValue in
        [
          "href": .text(target), "key": .text(StartPage.makeKey()),
          "hidden": schema.hiddenTemplateValue(
            values, prefix: StartPage.inputPrefix, serviceLanguage, refused: shown?.form),
          "fields": schema.templateValue(
            form: app.name, prefix: StartPage.inputPrefix, serviceLanguage, refused: shown?.form),
        ]
      },
    ]
    return PageTemplates.webPages(in: serviceLanguage).render("startAddress", content)
  }

  /// The metadata for search engines and link previews (The Open Graph protocol).
  private var card: TemplateValue {
    [
      "description": .text(app.summary?.string), "address": .text(origin + app.startPath + publicPath),
      "picture": .text(picture), "region": .text(language.replacing("-", with: "_")),
    ]
  }

  /// The absolute URL of the app's picture; nil without one, and for one inside of the page, which no preview loads.
  private var picture: String? {
    guard let image = app.image else { return nil }
    if image.hasPrefix("/") { return origin + image }
    return image.prefix(5).lowercased() == "data:" ? nil : image
  }
}
