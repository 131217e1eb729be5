internal import Languages
internal import Navigation
package import Sessions
package import Values

/// The two pages of a hand-over.
extension HandOverOffer {
  /// Renders the link for the other device.
  ///
  /// - Parameters:
  ///   - id: the session on this device.
  ///   - origin: the scheme and host by which the client reached the service.
  package func renderLink(from id: SessionID, origin: String) -> ByteWriter {
    PageTemplates.webPages(in: language).render(
      "handOver",
      [
        "language": .text(language.tag), "title": .text(language(.pageHandOver)), "app": appTitle, "until": until,
        "stamp": .text(expiresAt.text), "hasScript": .flag(true), "link": .text(origin + path),
        // A path without a host leads another device nowhere.
        "code": origin.isEmpty ? nil : QRCode.svg(origin + path, label: language(.pageCode)),
        "session": .text(id.path), "target": appTitle,
      ])
  }

  /// Renders the question that the other device shows when it opens the link.
  package func renderQuestion() -> ByteWriter {
    PageTemplates.webPages(in: language).render(
      "handOver",
      [
        "language": .text(language.tag), "title": .text(language(.pageTakeOver)), "app": appTitle, "until": until,
        "taking": ["href": .text(path), "key": .text(StartPage.makeKey())],
      ])
  }

  private var appTitle: TemplateValue { .text(app.title.string) }

  /// The time of day only, because an offer lasts for minutes. A script writes the time of the browser in its place.
  private var until: TemplateValue { .text("\(expiresAt.text.dropFirst(11).prefix(5)) UTC") }
}
