package import Languages

/// Writes texts in one language.
enum TextWriter: Sendable {
  /// Every text stays as it is.
  case identity
  /// In a language of the app's catalogue.
  case texts(LanguageTexts)
  /// In an app without a catalogue, values alone: as the service's own texts for a locale write them.
  case values(locale: String?)

  /// Nil for an app without a catalogue.
  var language: LanguageTexts? { if case .texts(let language) = self { language } else { nil } }

  var isIdentity: Bool { if case .identity = self { true } else { false } }

  @inline(__always)
  func written(_ text: Text) -> Text { text.isWords || isIdentity ? text : text.written(by: self) }

  func written(_ choices: [Choice]) -> [Choice] {
    let changes = changesTexts(haveValue: choices.contains { $0.title.value != nil || $0.hint?.value != nil })
    return changes ? choices.map { $0.withTexts { written($0) } } : choices
  }

  /// Returns whether some texts may be others in the language.
  ///
  /// - Parameter hasValue: whether one of the texts stands for a value.
  func changesTexts(haveValue hasValue: @autoclosure () -> Bool) -> Bool {
    switch self {
    case .identity: false
    case .texts: true
    case .values: hasValue()
    }
  }

  /// The language of the texts of the service.
  var serviceLanguage: ServiceLanguage {
    switch self {
    case .identity: .english
    case .texts(let language): .of(language.language)
    case .values(let locale): .of(locale)
    }
  }

  /// Returns a value in words; nil if it stays as it is.
  func text(_ value: TypedValue) -> String? {
    switch self {
    case .identity: nil
    case .texts(let language): language.text(value.argument)
    case .values(let locale): ServiceLanguage.of(locale).text(value.argument)
    }
  }

  func written(_ bar: TabBar) -> TabBar {
    guard !isIdentity else { return bar }
    var bar = bar
    for index in bar.tabs.indices { bar.tabs[index].title = written(bar.tabs[index].title) }
    return bar
  }
}

extension LeaveQuestion {
  func withTexts(_ change: (Text) -> Text) -> LeaveQuestion {
    LeaveQuestion(change(title), message: change(message), leave: change(leave), stay: change(stay))
  }
}

extension InputSchema {
  func written(by writer: TextWriter) -> InputSchema {
    writer.isIdentity ? self : InputSchema(fields: fields.map { $0.withTexts { writer.written($0) } })
  }
}

extension InvalidInput {
  /// Returns the failures with their texts in a language.
  func written(by writer: TextWriter) -> InvalidInput {
    if writer.isIdentity { return self }
    return InvalidInput(
      failures: failures.map { failure in
        var fault = failure.fault
        if case .refused(let reason) = fault.fact { fault = .refused(writer.written(reason)) }
        return Failure(
          pointer: failure.pointer, title: failure.title.map { writer.written($0) }, fault: fault,
          ownSentence: failure.ownSentence.map { writer.written($0) })
      })
  }
}

extension FieldDeclarations {
  func written(by writer: TextWriter) -> FieldDeclarations {
    copy(of: self) { $0.schema = schema.written(by: writer) }
  }
}

extension AppDefinition {
  /// The tags of the languages of the app's texts, in the order of the author; empty for an app without a catalogue.
  public var languages: [String] { localizations.compactMap(\.writer.language?.language) }

  /// The tags of the languages, the fallback language first.
  package var languagesByPreference: [String] {
    language.map { own in [own] + languages.filter { $0 != own } } ?? []
  }

  /// The tag of the language in which this definition has its texts; nil for an app without a catalogue.
  public var language: String? { writer.language?.language }

  /// Returns the app with the texts of its declarations in the language for a locale (RFC 4647, Lookup). The result has
  /// the behavior of this definition.
  public func localized(for locale: String?) -> AppDefinition {
    if localizations.isEmpty { return self }
    if let locale, let index = LanguageTag.lookUp(locale, in: languages) { return localizations[index] }
    return localizations.first { $0.language == language } ?? localizations[0]
  }

  /// Writes the texts that code makes for a session.
  func textWriter(for locale: String?) -> TextWriter { writer.isIdentity ? .values(locale: locale) : writer }

  /// The language of the service's own texts for a session: that of the app's texts, or else that of its locale.
  package func serviceLanguage(for locale: String?) -> ServiceLanguage {
    .of(localizations.isEmpty ? language ?? locale : localized(for: locale).language)
  }

  func localized(for state: SessionState) -> AppDefinition { localized(for: state.environment.locale) }
}
