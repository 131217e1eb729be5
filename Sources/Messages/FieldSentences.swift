package import Languages
package import Navigation
package import Values

// The sentences about the fields of inputs.

extension InvalidInput.Failure {
  package func sentence(in language: ServiceLanguage) -> String {
    if let ownSentence { return ownSentence.string }
    let label = title?.string ?? language(.inputSubject)
    // The sentences quote the label, which may be a question. A colon at its end is for forms.
    let field = TextArgument.Value.text(label.withoutColon)
    return switch fault.fact {
    case .missing: language(.fieldMissing, ["field": field])
    case .wrongType(let expected): expected.sentence(about: field, in: language)
    case .outside(let limit): limit.sentence(about: field, in: language)
    case .outsideAmount(.minimum(let limit), let decimals, let unit):
      language(.fieldMinimum, ["field": field, "limit": limit.amount(decimals, unit, language)])
    case .outsideAmount(.maximum(let limit), let decimals, let unit):
      language(.fieldMaximum, ["field": field, "limit": limit.amount(decimals, unit, language)])
    case .outsideAmount(let limit, _, _): limit.sentence(about: field, in: language)
    case .tooLongToMatch: language(.fieldTooLongToMatch, ["field": field])
    case .refused(let reason): reason.string
    case .noObject: language(.inputNoObject)
    case .unknown: language(.answerUnknown, ["field": field])
    case .notAsked: language(.answerNotAsked, ["field": field])
    case .noItem(let index): language(.itemUnknown, ["field": field, "number": .integer(index)])
    }
  }
}

extension [InvalidInput.Failure] {
  /// Returns the sentences of all failures. Two failures of one fact have one sentence.
  package func sentences(in language: ServiceLanguage) -> String {
    var sentences: [String] = []
    for failure in self {
      let sentence = failure.sentence(in: language)
      if !sentences.contains(sentence) { sentences.append(sentence) }
    }
    return sentences.joined(separator: " ")
  }
}

extension Value {
  /// An amount with its unit, for a sentence.
  fileprivate func amount(_ decimals: Int, _ unit: Text?, _ language: ServiceLanguage) -> TextArgument.Value {
    let number = int ?? 0
    guard let unit else { return .text(language.number(number, decimals: decimals)) }
    return .amount(Int(number), decimals: decimals, unit: unit.string)
  }

  /// Returns a limit as people of a language write it.
  fileprivate func limitText(_ language: ServiceLanguage) -> String {
    int.map { String($0) } ?? double.map { language.localized(String($0)) } ?? text ?? "\(self)"
  }
}

extension TextArgument.Value {
  /// The bound of a date or of a time of day, which a limit has as RFC 3339 writes it.
  fileprivate static func bound(_ limit: String) -> TextArgument.Value {
    if let date = CalendarDate(limit) { return TypedValue.date(date).argument }
    return TimeOfDay(limit).map { TextArgument.Value.time(hour: $0.hour, minute: $0.minute) } ?? .text(limit)
  }
}

extension ExpectedType {
  fileprivate func sentence(about field: TextArgument.Value, in language: ServiceLanguage) -> String {
    switch self {
    case .wholeNumber: language(.fieldWholeNumber, ["field": field])
    case .number: language(.fieldNumber, ["field": field])
    case .flag: language(.fieldFlag, ["field": field])
    case .text: language(.fieldText, ["field": field])
    case .list: language(.fieldList, ["field": field])
    case .amount(let decimals):
      language(.fieldAmount, ["field": field, "example": .text(language.number(1250, decimals: decimals))])
    case .smallestUnits(let decimals):
      language(
        .fieldSmallestUnits,
        ["field": field, "number": "1250", "example": .text(language.number(1250, decimals: decimals))])
    case .other(let phrase): language(.fieldOtherType, ["field": field, "expected": .text(phrase)])
    }
  }
}

extension TextFormat {
  /// The sentence of the format; nil for a format that shows its example instead.
  fileprivate var sentence: ServiceText? {
    switch self {
    case .email: .fieldEmail
    case .phone: .fieldPhone
    case .url: .fieldURL
    case .date: .fieldDate
    case .time: .fieldTime
    case .dateTime: .fieldDateTime
    @unknown default: nil
    }
  }
}

extension FieldLimit {
  /// The number of choices above which a sentence does not name each.
  private static let namedChoices = 20

  fileprivate func sentence(about field: TextArgument.Value, in language: ServiceLanguage) -> String {
    func counted(_ text: ServiceText, _ count: Int) -> String {
      language(text, ["field": field, "count": .integer(count)])
    }
    func limited(_ text: ServiceText, _ limit: Value) -> String {
      language(text, ["field": field, "limit": .text(limit.limitText(language))])
    }
    func named(_ choices: [Choice]) -> TextArgument.Value {
      .text(choices.map(\.title.string).joined(separator: ", "))
    }
    return switch self {
    case .minimum(let limit): limited(.fieldMinimum, limit)
    case .exclusiveMinimum(let limit): limited(.fieldExclusiveMinimum, limit)
    case .maximum(let limit): limited(.fieldMaximum, limit)
    case .earliest(let limit): language(.fieldEarliest, ["field": field, "limit": .bound(limit)])
    case .latest(let limit): language(.fieldLatest, ["field": field, "limit": .bound(limit)])
    case .minimumLength(1): language(.fieldNotEmpty, ["field": field])
    case .minimumLength(let count): counted(.fieldMinimumLength, count)
    case .maximumLength(let count): counted(.fieldMaximumLength, count)
    case .digits(let count): counted(.fieldDigits, count)
    case .choices(let choices) where choices.count > Self.namedChoices:
      language(.fieldOfferedChoices, ["field": field])
    case .choices(let choices): language(.fieldChoices, ["field": field, "choices": named(choices)])
    case .format(let format):
      language(format.sentence ?? .fieldPattern, ["field": field, "example": .text(format.example)])
    case .pattern(let pattern): language(.fieldPattern, ["field": field, "example": .text(pattern.example)])
    case .isTrue: language(.fieldAccepted, ["field": field])
    case .items(let choices): language(.fieldItems, ["field": field, "choices": named(choices)])
    case .exclusiveItems(let choices):
      language(.fieldExclusiveItem, ["choice": .text(choices.first?.title.string ?? "")])
    case .minimumItems(let count): counted(.fieldMinimumItems, count)
    case .maximumItems(let count): counted(.fieldMaximumItems, count)
    }
  }

  /// Returns the limit as a hint beside an empty field; nil for a limit that the control itself enforces.
  fileprivate func hint(_ kind: any FieldKind, _ language: ServiceLanguage) -> String? {
    func limited(_ text: ServiceText, _ limit: Value) -> String {
      language(text, ["limit": .text(kind.text(of: limit, in: language))])
    }
    return switch self {
    case .minimum(let limit): limited(.hintMinimum, limit)
    case .exclusiveMinimum(let limit): limited(.hintExclusiveMinimum, limit)
    case .maximum(let limit): limited(.hintMaximum, limit)
    case .earliest(let limit): language(.hintEarliest, ["limit": .bound(limit)])
    case .latest(let limit): language(.hintLatest, ["limit": .bound(limit)])
    case .digits(let count): language(.hintDigits, ["count": .integer(count)])
    case .minimumItems(let count): count > 0 ? language(.hintMinimum, ["limit": .integer(count)]) : nil
    case .maximumItems(let count): language(.hintMaximum, ["limit": .integer(count)])
    case .pattern(let pattern): language(.hintPattern, ["example": .text(pattern.example)])
    case .minimumLength, .maximumLength, .choices, .format, .isTrue, .items, .exclusiveItems: nil
    }
  }
}

extension FieldKind {
  /// Returns a value as people of a language read and type it.
  package func text(of value: Value, in language: ServiceLanguage) -> String {
    if let decimals = amount?.decimals, let number = value.int { return language.number(number, decimals: decimals) }
    return type == "number" ? language.localized(text(of: value)) : text(of: value)
  }
}

extension FieldSchema {
  /// Returns the hint beside a field: the author's words, or else the limits.
  package func hint(in language: ServiceLanguage) -> String? {
    if let description { return description.string }
    let hints = kind.limits.compactMap { $0.hint(kind, language) }.joined(separator: ", ")
    return hints.isEmpty ? nil : hints.prefix(1).uppercased() + hints.dropFirst() + "."
  }
}
