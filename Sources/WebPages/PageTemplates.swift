package import Languages
internal import Mustache
internal import Synchronization
package import Values

/// The Mustache templates of a set of pages, and a cache of their renderings.
///
/// Mustache renders a template once for each shape of its values. A later page of that shape is the cached rendering
/// with its texts filled in. Mustache looks up every name with dynamic casts: rendering costs ten times as much as the
/// rest of a page.
package final class PageTemplates: Sendable {
  /// Returns the templates of the pages of sessions and apps. Each language has templates of its own, so that its texts
  /// cost nothing when a page is rendered.
  static func webPages(in language: ServiceLanguage) -> PageTemplates {
    webPages.first { $0.language.tag == language.tag } ?? webPages[0]
  }

  private static let webPages = ServiceLanguage.all.map { PageTemplates(sources, in: $0, keepsRenderings: true) }

  /// Templates that other modules include in their own.
  package static let shared = [
    "block": PackageResources.block_mustache, "content": PackageResources.content_mustache,
    "item": PackageResources.item_mustache, "qr": PackageResources.qr_mustache, "text": PackageResources.text_mustache,
  ]

  private static let sources = [
    "action": PackageResources.action_mustache, "apps": PackageResources.apps_mustache,
    "ended": PackageResources.ended_mustache, "ending": PackageResources.ending_mustache,
    "field": PackageResources.field_mustache,
    "handOver": PackageResources.handOver_mustache,
    "label": PackageResources.label_mustache, "page": PackageResources.page_mustache,
    "problem": PackageResources.problem_mustache, "prompt": PackageResources.prompt_mustache,
    "refusal": PackageResources.refusal_mustache, "session": PackageResources.session_mustache,
    "startAddress": PackageResources.startAddress_mustache, "tabs": PackageResources.tabs_mustache,
  ].merging(shared) { $1 }

  /// The maximum size of the cached renderings, in bytes.
  private static let capacity = 8 << 20

  private let language: ServiceLanguage
  private let library: MustacheLibrary
  private let keepsRenderings: Bool
  private let cache = Mutex(Renderings())

  private struct Renderings {
    var pages: [[UInt8]: PreparedPage] = [:]
    var size = 0
  }

  /// - Parameters:
  ///   - sources: the templates, by name. `[[name]]` stands for a text of the service.
  ///   - language: the language of those texts.
  ///   - keepsRenderings: whether to cache renderings, which helps if pages of one shape recur.
  package init(_ sources: [String: [UInt8]], in language: ServiceLanguage = .english, keepsRenderings: Bool) {
    var library = MustacheLibrary()
    for (name, source) in sources {
      let template = Self.template(String(decoding: source, as: UTF8.self), in: language)
      // The tests parse the embedded templates: a malformed one cannot reach a release.
      // swift-format-ignore: NeverUseForceTry
      library.register(try! MustacheTemplate(string: template), named: name)
    }
    (self.language, self.library) = (language, library)
    self.keepsRenderings = keepsRenderings
  }

  /// Returns a template with the texts of the service in a language. A placeholder of a text becomes a tag of Mustache.
  private static func template(_ source: String, in language: ServiceLanguage) -> String {
    source.split(separator: "[[", omittingEmptySubsequences: false).enumerated().reduce(into: "") { template, part in
      guard part.offset > 0, let end = part.element.firstRange(of: "]]"),
        let text = texts[String(part.element[..<end.lowerBound])]
      else { return template += (part.offset > 0 ? "[[" : "") + part.element }
      template += language(text).replacing("{", with: "{{").replacing("}", with: "}}") + part.element[end.upperBound...]
    }
  }

  private static let texts = Dictionary(uniqueKeysWithValues: ServiceText.allCases.map { ("\($0)", $0) })

  /// Renders a template with these values. Every text is escaped.
  package func render(_ template: StaticString, _ values: TemplateValue) -> ByteWriter {
    let shape = TemplateShape(of: values, for: template)
    let known = cache.withLock { $0.pages[shape.key] }
    return (known ?? prepare(template, values, shape.key)).filled(with: shape.texts)
  }

  /// Renders the page of a problem that concerns no session and no form.
  package static func problem(in language: ServiceLanguage, title: String, detail: String) -> ByteWriter {
    webPages(in: language)
      .render("problem", ["language": .text(language.tag), "title": .text(title), "detail": .text(detail)])
  }

  private func prepare(_ template: StaticString, _ values: TemplateValue, _ key: [UInt8]) -> PreparedPage {
    let page = PreparedPage(library.render(values.marked(PreparedPage.mark), withTemplate: "\(template)") ?? "")
    guard keepsRenderings else { return page }
    let size = page.size + key.count
    cache.withLock { cache in
      // An app has few shapes. If a session makes many, emptying the cache is good enough.
      if cache.size + size > Self.capacity { cache = Renderings() }
      if cache.pages.updateValue(page, forKey: key) == nil { cache.size += size }
    }
    return page
  }
}

/// The structure of a template's values, and the texts in it.
///
/// Values of one shape have the same members, the same flags and lists of the same lengths. They differ in their texts
/// only.
struct TemplateShape {
  private(set) var key: [UInt8]
  /// The texts, in the order of the shape.
  private(set) var texts: [String] = []

  init(of value: TemplateValue, for template: StaticString) {
    key = []
    key.reserveCapacity(1024)
    key += UnsafeBufferPointer(start: template.utf8Start, count: template.utf8CodeUnitCount)
    texts.reserveCapacity(64)
    add(value)
  }

  private mutating func add(_ value: TemplateValue) {
    switch value {
    case .text(let text):
      key.append(UInt8(ascii: "t"))
      texts.append(text)
    case .flag(let flag):
      key.append(flag ? UInt8(ascii: "y") : UInt8(ascii: "n"))
    case .list(let items):
      key.append(UInt8(ascii: "["))
      for item in items { add(item) }
      key.append(UInt8(ascii: "]"))
    case .object(let members):
      key.append(UInt8(ascii: "{"))
      for member in members {
        key += UnsafeBufferPointer(start: member.name.utf8Start, count: member.name.utf8CodeUnitCount)
        key.append(UInt8(ascii: ":"))
        add(member.value)
      }
      key.append(UInt8(ascii: "}"))
    }
  }
}

extension TemplateValue {
  /// Returns the value as Mustache takes it, with the mark of its index instead of every text.
  ///
  /// The indices follow the order of ``TemplateShape/texts``.
  func marked(_ mark: (Int) -> String) -> Any {
    var count = 0
    func marked(_ value: TemplateValue) -> Any {
      switch value {
      case .text:
        count += 1
        return mark(count - 1)
      case .flag(let flag): return flag
      case .list(let items): return items.map { marked($0) }
      case .object(let members):
        var object: [String: Any] = [:]
        for member in members { object["\(member.name)"] = marked(member.value) }
        return object
      }
    }
    return marked(self)
  }
}

/// The rendering of a template for one shape of values, with slots for the texts.
final class PreparedPage: Sendable {
  private let html: [UInt8]
  /// The offset in `html` of each slot, and the index of its text.
  private let slots: [(end: Int, text: Int)]

  var size: Int { html.count + slots.count * MemoryLayout<(Int, Int)>.size }

  /// - Parameter marked: the template's output, with a ``mark(_:)`` instead of each text.
  init(_ marked: String) {
    var html: [UInt8] = []
    var slots: [(Int, Int)] = []
    for (index, part) in marked.split(separator: Self.fence, omittingEmptySubsequences: false).enumerated() {
      // Every second part, between two fences, is the index of a text.
      if index.isMultiple(of: 2) { html += part.utf8 } else if let text = Int(part) { slots.append((html.count, text)) }
    }
    self.html = html
    self.slots = slots
  }

  /// The placeholder of a text while the template is rendered. The fence is a private-use character, which no template
  /// contains.
  static func mark(_ text: Int) -> String { "\(fence)\(text)\(fence)" }

  private static let fence: Character = "\u{E000}"

  /// Returns the page with these texts, each escaped.
  func filled(with texts: [String]) -> ByteWriter {
    var page = ByteWriter(pooled: html.count + 1024)
    var start = 0
    for slot in slots {
      page.append(html[start..<slot.end])
      page.append(escapingHTML: texts[slot.text])
      start = slot.end
    }
    page.append(html[start...])
    return page
  }
}

extension ByteWriter {
  /// Appends a text as the content of an element or of a quoted attribute (HTML, section 13.3).
  fileprivate mutating func append(escapingHTML text: String) {
    let bytes = text.utf8Span.span
    var start = 0
    // Every special character sorts before the letters.
    for index in bytes.indices where bytes[index] < 0x40 {
      if let escaped = Self.escaped(bytes[index]) {
        append(bytes.extracting(start..<index))
        append(literal: escaped)
      } else if Self.isForbidden(bytes[index]) {
        append(bytes.extracting(start..<index))
        // The control picture of the character, from U+2400 on.
        append([0xE2, 0x90, 0x80 | bytes[index]])
      } else {
        continue
      }
      start = index + 1
    }
    append(bytes.extracting(start..<bytes.count))
  }

  /// Whether the character is a control character that documents must not contain (HTML, section 13.2.3.5).
  private static func isForbidden(_ character: UInt8) -> Bool {
    character < 0x20 && character != 0x09 && character != 0x0A && character != 0x0C && character != 0x0D
  }

  private static func escaped(_ character: UInt8) -> StaticString? {
    switch character {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&#39;"
    default: nil
    }
  }
}
