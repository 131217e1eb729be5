/// A form of a text that a number chooses, such as `one` for "1 item" in English (Unicode CLDR, plural rules).
public enum PluralForm: String, Sendable, CaseIterable {
  case zero, one, two, few, many, other
}

/// The plural forms of a language for whole numbers.
///
/// Source: Unicode CLDR 47, common/supplemental/plurals.xml, the cardinal rules, for numbers without decimal places.
/// A language that the table lacks has the forms `one` and `other`, as English has.
public struct PluralRules: Sendable {
  private let rule: @Sendable (UInt64) -> PluralForm

  /// - Parameter language: a language tag (BCP 47).
  public init(language: String) {
    let isEuropeanPortuguese = LanguageTag.lookUp(language, in: ["pt-PT"]) != nil
    rule = isEuropeanPortuguese ? Self.oneAndMillions : Self.table[LanguageTag.primary(of: language)] ?? Self.one
  }

  /// Returns the form for a whole number. The sign does not count.
  public func form(of number: Int) -> PluralForm { rule(UInt64(number.magnitude)) }

  /// Returns the forms that everyday numbers have.
  func everydayForms(of isIncluded: (Int) -> Bool = { _ in true }) -> Set<PluralForm> {
    Set((0...200).filter(isIncluded).map { form(of: $0) })
  }

  private static let table = Dictionary(
    uniqueKeysWithValues: families.flatMap { languages, rule in
      languages.split(separator: " ").map { (String($0), rule) }
    })

  private static let families: [(String, @Sendable (UInt64) -> PluralForm)] = [
    (
      "bm bo dz hnj id ig ii in ja jbo jv jw kde kea km ko lkt lo ms my nqo osa root sah ses sg su th to tpi vi wo yo yue"
        + " zh",
      { _ in .other }
    ),
    (
      "ak am as bho bn csw doi fa ff gu guw hi hy kab kn ln mg nso pa pcm si ti wa zu",
      { $0 <= 1 ? .one : .other }
    ),
    ("fr ht pt", { $0 <= 1 ? .one : isMillions($0) ? .many : .other }),
    ("ca es it lld scn vec", oneAndMillions),
    ("tzm", { $0 <= 1 || (11...99).contains($0) ? .one : .other }),
    ("is mk", { $0 % 10 == 1 && $0 % 100 != 11 ? .one : .other }),
    ("ceb fil tl", { (1...3).contains($0) || ![4, 6, 9].contains($0 % 10) ? .one : .other }),
    ("lv prg", latvian),
    ("blo ksh lag", { $0 == 0 ? .zero : $0 == 1 ? .one : .other }),
    ("he iu iw naq sat se sma smi smj smn sms", { $0 == 1 ? .one : $0 == 2 ? .two : .other }),
    ("shi", { $0 <= 1 ? .one : $0 <= 10 ? .few : .other }),
    ("mo ro", { $0 == 1 ? .one : $0 == 0 || (1...19).contains($0 % 100) ? .few : .other }),
    ("bs hr sh sr", { eastSlavic($0) == .many ? .other : eastSlavic($0) }),
    ("be ru uk", eastSlavic),
    ("pl", { $0 == 1 ? .one : eastSlavic($0) == .few ? .few : .many }),
    ("cs sk", { $0 == 1 ? .one : (2...4).contains($0) ? .few : .other }),
    ("dsb hsb sl", { $0 % 100 == 1 ? .one : $0 % 100 == 2 ? .two : (3...4).contains($0 % 100) ? .few : .other }),
    ("lt", { (11...19).contains($0 % 100) || $0 % 10 == 0 ? .other : $0 % 10 == 1 ? .one : .few }),
    ("gd", gaelic), ("br", breton), ("kw", cornish),
    ("ga", { $0 == 1 ? .one : $0 == 2 ? .two : (3...6).contains($0) ? .few : (7...10).contains($0) ? .many : .other }),
    ("gv", { $0 % 10 == 1 ? .one : $0 % 10 == 2 ? .two : $0 % 20 == 0 ? .few : .other }),
    ("mt", maltese), ("ar ars", arabic),
    ("cy", { $0 == 6 ? .many : $0 < 4 ? [.zero, .one, .two, .few][Int($0)] : .other }),
  ]

  private static let one: @Sendable (UInt64) -> PluralForm = { $0 == 1 ? .one : .other }

  private static let oneAndMillions: @Sendable (UInt64) -> PluralForm = {
    $0 == 1 ? .one : isMillions($0) ? .many : .other
  }

  private static func isMillions(_ number: UInt64) -> Bool { number != 0 && number % 1_000_000 == 0 }

  private static let eastSlavic: @Sendable (UInt64) -> PluralForm = { number in
    if (11...14).contains(number % 100) { return .many }
    return number % 10 == 1 ? .one : (2...4).contains(number % 10) ? .few : .many
  }

  private static let latvian: @Sendable (UInt64) -> PluralForm = { number in
    if number % 10 == 0 || (11...19).contains(number % 100) { return .zero }
    return number % 10 == 1 ? .one : .other
  }

  private static let gaelic: @Sendable (UInt64) -> PluralForm = { number in
    switch number {
    case 1, 11: .one
    case 2, 12: .two
    case 3...10, 13...19: .few
    default: .other
    }
  }

  private static let breton: @Sendable (UInt64) -> PluralForm = { number in
    switch (number / 10 % 10, number % 10) {
    case (1, _), (7, _), (9, _): .other
    case (_, 1): .one
    case (_, 2): .two
    case (_, 3), (_, 4), (_, 9): .few
    default: isMillions(number) ? .many : .other
    }
  }

  private static let cornish: @Sendable (UInt64) -> PluralForm = { number in
    if number <= 1 { return number == 0 ? .zero : .one }
    let isTwo =
      [2, 22, 42, 62, 82].contains(number % 100)
      || number % 1000 == 0
        && ((1000...20_000).contains(number % 100_000) || [40_000, 60_000, 80_000].contains(number % 100_000))
      || number % 1_000_000 == 100_000
    if isTwo { return .two }
    if [3, 23, 43, 63, 83].contains(number % 100) { return .few }
    return [1, 21, 41, 61, 81].contains(number % 100) ? .many : .other
  }

  private static let maltese: @Sendable (UInt64) -> PluralForm = { number in
    switch (number, number % 100) {
    case (1, _): .one
    case (2, _): .two
    case (0, _), (_, 3...10): .few
    case (_, 11...19): .many
    default: .other
    }
  }

  private static let arabic: @Sendable (UInt64) -> PluralForm = { number in
    switch (number, number % 100) {
    case (0, _): .zero
    case (1, _): .one
    case (2, _): .two
    case (_, 3...10): .few
    case (_, 11...99): .many
    default: .other
    }
  }
}
