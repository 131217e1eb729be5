/// The names of languages, each in the language itself, as people choose it from a list (Unicode CLDR 47).
package enum LanguageName {
  /// Returns the name of a language; the tag for one without a name here.
  package static func own(of tag: String) -> String {
    let tags = Array(names.keys)
    return LanguageTag.lookUp(tag, in: tags).flatMap { names[tags[$0]] } ?? tag
  }

  /// Returns the name with the tag behind it if another of the tags has the same name, as `pt-BR` and `pt-PT` would.
  package static func own(of tag: String, among tags: [String]) -> String {
    let name = own(of: tag)
    return tags.count { own(of: $0) == name } > 1 ? "\(name) (\(tag))" : name
  }

  private static let names = [
    "ar": "العربية", "bg": "Български", "bn": "বাংলা", "bs": "Bosanski", "ca": "Català", "cs": "Čeština",
    "cy": "Cymraeg", "da": "Dansk", "de": "Deutsch", "el": "Ελληνικά", "en": "English", "es": "Español",
    "et": "Eesti", "eu": "Euskara", "fa": "فارسی", "fi": "Suomi", "fil": "Filipino", "fr": "Français",
    "ga": "Gaeilge", "gl": "Galego", "gu": "ગુજરાતી", "he": "עברית", "hi": "हिन्दी", "hr": "Hrvatski",
    "hu": "Magyar", "hy": "հայերեն", "id": "Indonesia", "is": "Íslenska", "it": "Italiano", "ja": "日本語",
    "ka": "ქართული", "kk": "Қазақ тілі", "km": "ខ្មែរ", "kn": "ಕನ್ನಡ", "ko": "한국어", "lo": "ລາວ",
    "lt": "Lietuvių", "lv": "Latviešu", "mk": "Македонски", "ml": "മലയാളം", "mn": "Монгол", "mr": "मराठी",
    "ms": "Melayu", "mt": "Malti", "my": "မြန်မာ", "nb": "Norsk bokmål", "ne": "नेपाली", "nl": "Nederlands",
    "nn": "Norsk nynorsk", "no": "Norsk", "pa": "ਪੰਜਾਬੀ", "pl": "Polski", "pt": "Português",
    "pt-BR": "Português (Brasil)", "pt-PT": "Português (Portugal)", "ro": "Română", "ru": "Русский",
    "si": "සිංහල", "sk": "Slovenčina", "sl": "Slovenščina", "sq": "Shqip", "sr": "Српски", "sv": "Svenska",
    "sw": "Kiswahili", "ta": "தமிழ்", "te": "తెలుగు", "th": "ไทย", "tr": "Türkçe", "uk": "Українська",
    "ur": "اردو", "uz": "O‘zbek", "vi": "Tiếng Việt", "zh": "中文", "zh-Hans": "简体中文", "zh-Hant": "繁體中文",
  ]
}
