internal import Languages
internal import Navigation
internal import Suggestions
internal import YAML

/// The texts of a flow in its languages: the files `texts/LANGUAGE.yaml`.
struct FlowTexts {
  /// A file of texts.
  struct File {
    let path: String
    let language: String
    /// The root; nil for a file that is not readable.
    let node: YAMLNode?
  }

  /// The texts of all languages; nil for a flow without the folder and without a language. A flow whose texts are all
  /// literals has its language alone, without a key.
  private(set) var catalogue: TextCatalogue?
  private(set) var faults: [FlowFault] = []
  /// Whether a file is not readable, so that any key may exist.
  let isUnknown: Bool
  private let fallback: String
  /// The location of each key, and of its plural forms, by the language.
  private var marks: [String: [String: SourceMark]] = [:]
  /// The keys of which a text has a fault. Their uses cause no other faults.
  private(set) var faultyKeys: Set<String> = []

  /// - Parameters:
  ///   - files: the files of all languages.
  ///   - fallback: the language of the flow.
  init(_ files: [File], fallback: YAMLKey?) {
    isUnknown = files.contains { $0.node == nil }
    let languages = files.map(\.language)
    let usual = languages.contains("en") ? "en" : languages.first ?? ""
    let isKnown = fallback.map { languages.isEmpty || languages.contains($0.name) } ?? true
    self.fallback = isKnown ? fallback?.name ?? usual : usual
    if let fallback, !isKnown {
      let advice = "Add it, or write \(languages.listed)."
      faults.append(FlowFault(fallback.mark, "There is no file texts/\(fallback.name).yaml. \(advice)"))
    }
    if let fallback, files.isEmpty {
      catalogue = TextCatalogue(fallback: fallback.name, languages: [(fallback.name, [:])])
      if !LanguageTag.isWellFormed(fallback.name) {
        let advice = "Write one such as de or pt-BR."
        faults.append(FlowFault(fallback.mark, "\(fallback.name.shortened) is not a valid language tag. \(advice)"))
      }
    }
    guard !files.isEmpty, !isUnknown else { return }
    // A text of one language may be plural forms in another one.
    let texts = Set(files.flatMap { $0.node?.textKeys(prefix: "") ?? [] })
    var patterns: [(String, TextCatalogue.Texts)] = []
    for file in files {
      guard let node = file.node else { continue }
      var reader = FlowTextReader(texts: texts)
      reader.read(node, prefix: "")
      faults += reader.faults
      faultyKeys.formUnion(reader.faultyKeys)
      marks[file.language] = reader.marks
      patterns.append((file.language, TextCatalogue.Texts(reader.patterns)))
    }
    let catalogue = TextCatalogue(fallback: self.fallback, languages: patterns)
    for fault in catalogue.faults where !faultyKeys.contains(fault.location) { report(fault, files, catalogue) }
    self.catalogue = catalogue
  }

  var hasSeveralLanguages: Bool { (catalogue?.languages.count ?? 0) > 1 }

  /// The location of a text in the fallback language, or in the first one that has it.
  private func mark(of key: String) -> SourceMark? {
    marks[fallback]?[key] ?? marks.sorted { $0.key < $1.key }.compactMap { $0.value[key] }.first
  }

  /// Returns a warning for each text that no key of the flow names.
  func warnings(used: Set<String>) -> [FlowFault] {
    (catalogue?.keys ?? []).filter { !used.contains($0) }.compactMap { key in
      mark(of: key).map { FlowFault($0, "The text \(key) is never used. Remove it.", severity: .warning) }
    }
  }

  private mutating func report(_ fault: CatalogueFault, _ files: [File], _ catalogue: TextCatalogue) {
    let key = fault.location
    func add(_ mark: SourceMark?, _ message: String) {
      let start = files.last { $0.language == key }.map { SourceMark(file: $0.path, line: 1, column: 1) }
      if let mark = mark ?? start { faults.append(FlowFault(mark, message)) }
    }
    switch fault.reason {
    case .invalidLanguage:
      add(nil, "\(key.shortened) is not a valid language tag. Rename the file, such as de.yaml or pt-BR.yaml.")
    case .repeatedLanguage: add(nil, "Another file has the texts of this language. Remove one of them.")
    case .fallbackWithoutTexts, .repeatedKey: break
    case .missing(let language):
      add(mark(of: key), "The text \(key) is missing in \(language). Add it to texts/\(language).yaml.")
    case .malformed(let language):
      add(
        marks[language]?[key],
        "The text \(key) has a brace without a placeholder. Write {name} for a placeholder, and {{ or }} for a brace.")
    case .unknownPlaceholder(let name, let language):
      faultyKeys.insert(key)
      let known = catalogue.argumentNames(of: key, in: fallback)
      let advice = nearest(name, among: known).map { "Did you mean {\($0)}?" } ?? "Use the same ones in each language."
      add(
        marks[language]?[key],
        "The text \(key) has the placeholder {\(name)}, which the text of \(fallback) does not have. \(advice)")
    case .missingForm(let form, let language):
      add(marks[language]?[key], "The text \(key) has no form \(form.rawValue), which \(language) needs. Add it.")
    case .unusedForm(let form, let language):
      add(
        marks[language]?["\(key).\(form.rawValue)"] ?? marks[language]?[key],
        "No number has the form \(form.rawValue) in \(language). Remove it.")
    }
  }
}

/// A reader of the texts of one language.
private struct FlowTextReader {
  private(set) var patterns: [String: TextPattern] = [:]
  private(set) var marks: [String: SourceMark] = [:]
  private(set) var faults: [FlowFault] = []
  private(set) var faultyKeys: Set<String> = []
  /// The keys that have a text in any language.
  let texts: Set<String>

  mutating func read(_ node: YAMLNode, prefix: String) {
    for entry in node.entries ?? [] {
      let key = prefix.isEmpty ? entry.key.name : "\(prefix).\(entry.key.name)"
      if let text = entry.value.text {
        checkHabits(text, entry.value.mark)
        add(TextPattern(text), key, entry)
      } else if let forms = entry.value.entries, forms.arePlural || forms.haveFormNames && texts.contains(key) {
        add(plural(forms, key, entry.key.mark), key, entry)
      } else if entry.value.entries != nil {
        read(entry.value, prefix: key)
      } else {
        noText(entry.value, key)
        add(TextPattern(""), key, entry)
      }
    }
  }

  private mutating func fault(_ mark: SourceMark, _ message: String) { faults.append(FlowFault(mark, message)) }

  private mutating func warn(_ mark: SourceMark, _ message: String) {
    faults.append(FlowFault(mark, message, severity: .warning))
  }

  /// Reports a value that is not a text.
  private mutating func noText(_ node: YAMLNode, _ key: String) {
    faultyKeys.insert(key)
    if !node.isInvalid { fault(node.mark, "The value is \(node.kindName), where a text is expected.") }
  }

  /// Warns about a text that looks like an expression, and about a placeholder with two braces or a dollar sign.
  private mutating func checkHabits(_ text: String, _ mark: SourceMark) {
    if text.hasPrefix("=") {
      warn(mark, "A text of texts/ cannot be an expression. Write placeholders, such as {name}.")
    }
    for (begin, end) in [("{{", "}}"), ("${", "}")] {
      guard let start = text.firstRange(of: begin), let stop = text[start.upperBound...].firstRange(of: end) else {
        continue
      }
      let name = text[start.upperBound..<stop.lowerBound].filter { $0 != " " }
      guard !name.isEmpty, name.allSatisfy({ $0.isLetter || $0.isNumber }) else { continue }
      warn(mark, "Write {\(name)} for a placeholder, and not \(begin)\(name)\(end).")
    }
  }

  private mutating func add(_ pattern: TextPattern, _ key: String, _ entry: YAMLNode.Entry) {
    if patterns.updateValue(pattern, forKey: key) != nil {
      fault(entry.key.mark, "The text \(key) occurs twice. Remove one of them.")
    }
    if marks[key] == nil { marks[key] = entry.key.mark }
  }

  private mutating func plural(_ entries: [YAMLNode.Entry], _ key: String, _ mark: SourceMark) -> TextPattern {
    var forms: [PluralForm: String] = [:]
    var exact: [Int: String] = [:]
    var argument = "count"
    for entry in entries {
      let name = entry.key.name
      guard let text = entry.value.text else {
        noText(entry.value, key)
        continue
      }
      checkHabits(text, entry.value.mark)
      if name == "plural" {
        argument = text
      } else if let form = PluralForm(rawValue: name) {
        forms[form] = text
        marks["\(key).\(name)"] = entry.key.mark
      } else if name.hasPrefix("="), let number = Int(name.dropFirst()) {
        exact[number] = text
      } else {
        faultyKeys.insert(key)
        let names = PluralForm.allCases.map(\.rawValue) + ["plural"]
        let advice = nearest(name, among: names).map { "Did you mean \($0)?" } ?? "Write a number, such as \"=0\"."
        fault(entry.key.mark, "There is no form \(name.shortened). \(advice)")
      }
    }
    if forms[.other] == nil, !faultyKeys.contains(key) {
      faultyKeys.insert(key)
      fault(mark, "The text \(key) has no form other. Add it.")
    }
    return .plural(argument, exactly: exact, forms: forms)
  }
}

extension YAMLNode {
  /// The keys of the texts that are not mappings, or plural forms without doubt.
  fileprivate func textKeys(prefix: String) -> [String] {
    (entries ?? []).flatMap { entry in
      let key = prefix.isEmpty ? entry.key.name : "\(prefix).\(entry.key.name)"
      if entry.value.entries.map({ $0.arePlural }) ?? true { return [key] }
      return entry.value.textKeys(prefix: key)
    }
  }
}

extension [YAMLNode.Entry] {
  private static let formNames = PluralForm.allCases.map(\.rawValue) + ["plural"]

  /// Whether each key is that of a plural form, or nearly so.
  fileprivate var haveFormNames: Bool {
    allSatisfy { $0.key.name.hasPrefix("=") || nearest($0.key.name, among: Self.formNames) != nil }
  }

  /// Whether the mapping is plural forms of one text, and no group of texts. A group may have a text `other` beside keys
  /// that are similar to a form, such as `mother`.
  fileprivate var arePlural: Bool {
    func has(_ names: [String]) -> Bool { contains { names.contains($0.key.name) && $0.value.text != nil } }
    if has(["plural"]) { return true }
    let hasExact = contains { $0.key.name.hasPrefix("=") }
    let hasForms = has(["zero", "one", "two", "few", "many"]) || count == 1
    return haveFormNames && (hasExact || hasForms && has(["other"]))
  }
}
