/// The way in which a language writes amounts of money, dates and times (Unicode CLDR 48): English, German and
/// French, with their regions.
///
/// ICU and Foundation have every language, and would add tens of megabytes to the service.
enum ValueStyle: Int, Sendable, CaseIterable {
  /// Any other language: dates of ISO 8601, and amounts with the code of their currency. Both are unambiguous.
  case neutral
  case american
  /// The English of other regions, with 24 hours.
  case english
  case englishWithTwelveHours
  case german
  case austrian
  case swiss
  case french
  case canadianFrench
  case swissFrench

  /// The style for a language tag. Without a region, the languages are those of the United States, Germany and France.
  static func of(_ language: String) -> ValueStyle {
    let region = LanguageTag.region(of: language)
    switch (LanguageTag.primary(of: language), region) {
    case ("en", nil): return .american
    case ("en", let region?):
      return americanRegions.contains(region)
        ? .american : twelveHourRegions.contains(region) ? .englishWithTwelveHours : .english
    case ("de", "AT"): return .austrian
    case ("de", "CH"), ("de", "LI"): return .swiss
    case ("de", _): return .german
    case ("fr", "CA"): return .canadianFrench
    case ("fr", "CH"): return .swissFrench
    case ("fr", _): return .french
    default: return .neutral
    }
  }

  private static let americanRegions: Set<String> = ["AS", "GU", "MH", "MP", "PH", "PR", "UM", "US", "VI"]
  private static let twelveHourRegions: Set<String> = [
    "001", "AE", "AG", "AU", "BB", "BM", "BS", "CA", "CY", "DM", "ER", "FJ", "FM", "GD", "GH", "GM", "GY", "HK", "IN",
    "JM", "KI", "KN", "KY", "LC", "LR", "LS", "MO", "MW", "MY", "NA", "NZ", "PG", "PK", "PW", "SB", "SD", "SG", "SL",
    "SS", "SZ", "TC", "TO", "TT", "VC", "VG", "VU", "WS", "ZM",
  ]
}

// MARK: Dates and times
extension ValueStyle {
  func date(year: Int, month: Int, day: Int) -> String {
    guard self != .neutral, months.indices.contains(month - 1) else {
      return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }
    let name = months[month - 1]
    return switch self {
    case .neutral, .american: "\(name) \(day), \(year)"
    case .english, .englishWithTwelveHours: "\(day) \(name) \(year)"
    case .german, .austrian, .swiss: "\(day). \(name) \(year)"
    // The first of a month has an ordinal, which the patterns of CLDR cannot express.
    case .french, .canadianFrench, .swissFrench: "\(day == 1 ? "1er" : "\(day)") \(name) \(year)"
    }
  }

  func time(hour: Int, minute: Int) -> String {
    let halves: (String, String)
    switch self {
    case .american: halves = ("AM", "PM")
    case .englishWithTwelveHours: halves = ("am", "pm")
    case .canadianFrench: return "\(padded(hour, 2))\u{A0}h\u{A0}\(padded(minute, 2))"
    case .neutral, .english, .german, .austrian, .swiss, .french, .swissFrench:
      return "\(padded(hour, 2)):\(padded(minute, 2))"
    }
    // A narrow space without a line break.
    return "\((hour + 11) % 12 + 1):\(padded(minute, 2))\u{202F}\(hour < 12 ? halves.0 : halves.1)"
  }

  /// - Parameter offset: the minutes east of UTC.
  func dateTime(date: String, time: String, offset: Int) -> String {
    let minutes = abs(offset)
    let clock = (offset < 0 ? "-" : "+") + "\(padded(minutes / 60, 2)):\(padded(minutes % 60, 2))"
    let zone = "(UTC\(offset == 0 ? "" : clock))"
    return switch self {
    case .neutral: "\(date) \(time) \(clock)"
    case .american, .english, .englishWithTwelveHours: "\(date) at \(time) \(zone)"
    case .german, .austrian, .swiss: "\(date) um \(time) \(zone)"
    case .french, .canadianFrench, .swissFrench: "\(date) à \(time) \(zone)"
    }
  }

  private var months: [String] {
    switch self {
    case .neutral, .american, .english, .englishWithTwelveHours: Self.englishMonths
    case .german, .swiss: Self.germanMonths
    case .austrian: Self.austrianMonths
    case .french, .canadianFrench, .swissFrench: Self.frenchMonths
    }
  }

  private static let englishMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let germanMonths = [
    "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November",
    "Dezember",
  ]
  private static let austrianMonths: [String] = ["Jänner"] + germanMonths.dropFirst()
  private static let frenchMonths = [
    "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre",
    "décembre",
  ]

  private func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

// MARK: Money
extension ValueStyle {
  /// Returns an amount of money. A unit without the form of a code of ISO 4217, such as `points`, follows its number in
  /// every language.
  ///
  /// - Parameters:
  ///   - number: a whole number of the smallest unit.
  ///   - separator: the decimal separator.
  func money(_ number: Int64, decimals: Int, currency code: String, separator: String) -> String {
    let isCode = code.utf8.count == 3 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    guard self != .neutral, isCode else {
      return "\(DecimalText.write(number, decimals: decimals, separator: separator)) \(code)"
    }
    let digits = digits(of: number, decimals: decimals, separator: separator)
    let symbol = ownSymbols[code] ?? Self.symbols[code] ?? code
    let minus = number < 0 ? "-" : ""
    let space = "\u{A0}"
    switch self {
    case .neutral, .american, .english, .englishWithTwelveHours:
      let endsWithSign = symbol.unicodeScalars.last?.properties.generalCategory == .currencySymbol
      return minus + symbol + (endsWithSign ? "" : space) + digits
    case .german, .french, .canadianFrench, .swissFrench: return minus + digits + space + symbol
    case .austrian: return minus + symbol + space + digits
    case .swiss: return symbol + (minus.isEmpty ? space : minus) + digits
    }
  }

  /// Returns a number of the smallest unit without its sign, with grouped thousands.
  func digits(of number: Int64, decimals: Int, separator: String) -> String {
    // The French of Switzerland has a decimal point in amounts of money, and a comma in other numbers.
    let separator = self == .swissFrench ? "." : separator
    let digits = DecimalText.write(number, decimals: decimals, separator: separator).drop { $0 == "-" }
    let whole = digits.prefix { $0.isNumber }
    var text = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index).isMultiple(of: 3) { text += group }
      text.append(digit)
    }
    return text + digits.dropFirst(whole.count)
  }

  private var group: String {
    switch self {
    case .neutral: ""
    case .american, .english, .englishWithTwelveHours: ","
    case .german, .austrian: "."
    case .swiss: "'"
    case .french, .swissFrench: "\u{202F}"
    case .canadianFrench: "\u{A0}"
    }
  }

  /// The symbols of currencies, unless a style has its own.
  private static let symbols = [
    "BRL": "R$", "CAD": "CA$", "CNY": "CN¥", "EUR": "€", "GBP": "£", "HKD": "HK$", "ILS": "₪", "INR": "₹", "JPY": "¥",
    "KRW": "₩", "MXN": "MX$", "NZD": "NZ$", "TWD": "NT$", "USD": "$", "VND": "₫", "XAF": "FCFA", "XCD": "EC$",
    "XCG": "Cg.", "XOF": "F\u{202F}CFA", "XPF": "CFPF",
  ]
  private static let americanSymbols = ["AUD": "A$", "PHP": "₱"]
  private static let englishSymbols = ["AUD": "A$", "PHP": "₱", "JPY": "JP¥", "USD": "US$"]
  private static let germanSymbols = ["AUD": "AU$", "THB": "฿"]
  private static let swissSymbols = ["AUD": "AU$", "THB": "฿", "EUR": "EUR"]
  private static let frenchSymbols = [
    "ARS": "$AR", "AUD": "$AU", "BMD": "$BM", "BND": "$BN", "BZD": "$BZ", "CAD": "$CA", "CLP": "$CL", "CNY": "CNY",
    "COP": "$CO", "FJD": "$FJ", "FKP": "£FK", "GBP": "£GB", "GIP": "£GI", "HKD": "HKD", "JPY": "JPY", "LBP": "£LB",
    "MXN": "$MX", "NAD": "$NA", "NZD": "$NZ", "SBD": "$SB", "SGD": "$SG", "SRD": "$SR", "TTD": "$TT", "TWD": "TWD",
    "USD": "$US", "UYU": "$UY", "WST": "$WS", "XCD": "XCD", "XPF": "FCFP",
  ]
  private static let canadianFrenchSymbols = [
    "AUD": "$\u{A0}AU", "CAD": "$", "HKD": "$\u{A0}HK", "ILS": "ILS", "INR": "INR", "KRW": "KRW", "MXN": "MXN",
    "NZD": "$\u{A0}NZ", "SGD": "$\u{A0}SG", "TWD": "TWD", "USD": "$\u{A0}US", "VND": "VND", "XAF": "XAF",
    "XCD": "XCD", "XOF": "XOF", "XPF": "XPF",
  ]

  private var ownSymbols: [String: String] {
    switch self {
    case .neutral, .american: Self.americanSymbols
    case .english, .englishWithTwelveHours: Self.englishSymbols
    case .german, .austrian: Self.germanSymbols
    case .swiss: Self.swissSymbols
    case .french, .swissFrench: Self.frenchSymbols
    case .canadianFrench: Self.canadianFrenchSymbols
    }
  }
}
