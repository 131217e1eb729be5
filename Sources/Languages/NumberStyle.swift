/// The way in which a language writes numbers.
enum NumberStyle {
  /// The languages with a decimal comma (Unicode CLDR 47, the symbols of the numbering system `latn`).
  private static let withComma: Set<String> = [
    "af", "ast", "az", "be", "bg", "blo", "br", "bs", "ca", "cs", "da", "de", "dsb", "el", "eo", "es", "et", "eu",
    "fi", "fo", "fr", "fy", "gl", "hr", "hsb", "ht", "hu", "hy", "ia", "id", "is", "it", "jv", "ka", "kab", "kea",
    "kk", "kl", "ku", "ky", "lb", "lij", "lld", "ln", "lo", "lt", "lv", "mk", "nb", "nl", "nn", "no", "nr", "pl",
    "ps", "pt", "ro", "ru", "rw", "sah", "sc", "se", "sg", "shi", "sk", "sl", "smn", "sq", "sr", "ss", "su", "sv",
    "tg", "tk", "tr", "ts", "tt", "uk", "uz", "ve", "vec", "vi", "wo",
  ]
  /// The regions of those languages with a decimal point.
  private static let withPoint = [
    "de-CH", "de-LI", "es-419", "es-CU", "es-DO", "es-GT", "es-HN", "es-MX", "es-NI", "es-PA", "es-PE", "es-PR",
    "es-SV", "es-US", "it-CH",
  ]

  static func decimalSeparator(of language: String) -> String {
    let hasComma = withComma.contains(LanguageTag.primary(of: language))
    return hasComma && LanguageTag.lookUp(language, in: withPoint) == nil ? "," : "."
  }
}
