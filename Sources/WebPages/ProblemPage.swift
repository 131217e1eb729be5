package import Languages
package import Values

extension PageTemplates {
  /// Renders the page of a problem that concerns no session and no form.
  package static func problem(in language: ServiceLanguage, title: String, detail: String) -> ByteWriter {
    webPages(in: language)
      .render("problem", ["language": .text(language.tag), "title": .text(title), "detail": .text(detail)])
  }
}
