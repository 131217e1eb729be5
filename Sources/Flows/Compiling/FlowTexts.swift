internal import Languages
internal import Navigation

/// The texts of a flow in its languages: the files `texts/LANGUAGE.yaml`.
struct FlowTexts {
  /// Nil for a flow without the folder.
  private(set) var catalogue: TextCatalogue?
  private(set) var faults: [FlowFault] = []
  /// The place of each key in the file of the fallback language, or of the first file that has it.
  private var marks: [String: SourceMark] = [:]

  init() {}

  /// - Parameters:
  ///   - files: the language and the root of each file.
  ///   - fallback: the language of the flow.
  init(_ files: [(language: String, node: YAMLNode)], fallback: YAMLKey?) {
    guard !files.isEmpty else { return }
    let languages = files.map(\.language)
    let fallbackName = fallback?.name ?? (languages.contains("en") ? "en" : languages[0])
    if let fallback, !languages.contains(fallback.name) {
      faults.append(
        FlowFault(fallback.mark, "There is no file texts/\(fallback.name).yaml. Add it, or choose another language."))
      return
    }
    var texts: [(String, TextCatalogue.Texts)] = []
    // The fallback language first, so that its places count.
    for file in files.sorted(by: {
      ($0.language != fallbackName ? 1 : 0, $0.language) < ($1.language != fallbackName ? 1 : 0, $1.language)
    }) {
      var patterns: [String: TextPattern] = [:]
      read(file.node, prefix: "", into: &patterns)
      texts.append((file.language, TextCatalogue.Texts(patterns)))
    }
    let catalogue = TextCatalogue(fallback: fallbackName, languages: texts)
    for fault in catalogue.faults {
      let file = files.first { $0.language == fault.place }
      let mark = marks[fault.place] ?? file?.node.mark ?? files[0].node.mark
      faults.append(FlowFault(mark, "\(fault.place): \(fault.reason)"))
    }
    self.catalogue = catalogue
  }

  /// The plural forms, and the key that names the argument which chooses them.
  private static let formNames = Set(PluralForm.allCases.map(\.rawValue))

  private mutating func read(_ node: YAMLNode, prefix: String, into patterns: inout [String: TextPattern]) {
    guard let entries = node.entries else {
      if !node.isInvalid { faults.append(FlowFault(node.mark, "The texts are a mapping of keys to texts.")) }
      return
    }
    for entry in entries {
      let key = prefix.isEmpty ? entry.key.name : "\(prefix).\(entry.key.name)"
      if let text = entry.value.text {
        add(TextPattern(text), key, entry, to: &patterns)
      } else if let forms = entry.value.entries, isPlural(forms) {
        if let pattern = plural(forms) { add(pattern, key, entry, to: &patterns) }
      } else {
        read(entry.value, prefix: key, into: &patterns)
      }
    }
  }

  private mutating func add(
    _ pattern: TextPattern, _ key: String, _ entry: YAMLNode.Entry, to patterns: inout [String: TextPattern]
  ) {
    if patterns.updateValue(pattern, forKey: key) != nil {
      faults.append(FlowFault(entry.key.mark, "The key \(key) occurs twice. Remove one of the texts."))
    }
    if marks[key] == nil { marks[key] = entry.key.mark }
  }

  private func isPlural(_ entries: [YAMLNode.Entry]) -> Bool {
    entries.contains { $0.key.name == "other" && $0.value.text != nil }
      && entries.allSatisfy {
        Self.formNames.contains($0.key.name) || $0.key.name == "plural" || $0.key.name.hasPrefix("=")
      }
  }

  private mutating func plural(_ entries: [YAMLNode.Entry]) -> TextPattern? {
    var forms: [PluralForm: String] = [:]
    var exact: [Int: String] = [:]
    var argument = "count"
    for entry in entries {
      guard let text = entry.value.text else {
        faults.append(FlowFault(entry.value.mark, "A plural form is a text, and not \(entry.value.kindName)."))
        return nil
      }
      if entry.key.name == "plural" {
        argument = text
      } else if let form = PluralForm(rawValue: entry.key.name) {
        forms[form] = text
      } else if let number = Int(entry.key.name.dropFirst()) {
        exact[number] = text
      } else {
        faults.append(
          FlowFault(entry.key.mark, "There is no plural form \(entry.key.name). Write a number, such as \"=0\"."))
        return nil
      }
    }
    return .plural(argument, exactly: exact, forms: forms)
  }
}
