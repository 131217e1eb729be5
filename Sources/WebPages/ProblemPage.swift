package import Languages
package import Values

/// The page of a problem that concerns no session and no form.
package struct ProblemPage {
  private let title: String
  private let detail: String

  private let language: ServiceLanguage

  package init(_ language: ServiceLanguage, title: String, detail: String) {
    self.language = language
    self.title = title
    self.detail = detail
  }

  package func render() -> ByteWriter {
    PageTemplates.webPages(in: language)
      .render("problem", ["language": .text(language.tag), "title": .text(title), "detail": .text(detail)])
  }
}
