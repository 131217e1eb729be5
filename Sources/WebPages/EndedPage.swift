package import Languages
package import Navigation
package import Sessions
package import Values

/// The page of a session that has expired, as long as the store has it.
package enum EndedPage {
  /// - Parameters:
  ///   - session: the session, whose content is not shown any more.
  ///   - app: the current definition of the session's app.
  ///   - language: the language of the service's own texts.
  package static func render(
    _ session: StoredSession, of app: AppDefinition, in language: ServiceLanguage
  ) -> ByteWriter {
    let app = app.localized(for: session.locale)
    return PageTemplates.webPages(in: language).render(
      "ended",
      [
        "language": .text(app.language ?? session.locale ?? language.tag), "title": .text(language(.pageEnded)),
        "app": .text(app.title.string), "appName": .text(app.name), "key": .text(StartPage.makeKey()),
        "timeZone": .text(session.timeZone), "hasScript": .flag(true),
      ])
  }
}
