package import Values

/// The page of a problem that concerns no session and no form.
package struct ProblemPage {
  private let title: String
  private let detail: String

  package init(title: String, detail: String) {
    self.title = title
    self.detail = detail
  }

  package func render() -> ByteWriter {
    PageTemplates.webPages.render("problem", ["language": "en", "title": .text(title), "detail": .text(detail)])
  }
}
