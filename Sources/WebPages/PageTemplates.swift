internal import Mustache
internal import Synchronization
package import Values

/// The Mustache templates of a set of pages, and the renderings that are kept of them.
///
/// A template is rendered once for each shape of its values. A later page of that shape is the kept rendering with its texts filled in.
/// Mustache looks every name up with dynamic casts: rendering costs ten times as much as everything else that a page takes.
package final class PageTemplates: Sendable {
  /// The templates of the pages of sessions and apps.
  static let webPages = PageTemplates(sources, keepsRenderings: true)

  /// Templates that other modules include in their own.
  package static let shared = ["block": PackageResources.block_mustache]

  private static let sources = [
    "action": PackageResources.action_mustache, "apps": PackageResources.apps_mustache,
    "block": PackageResources.block_mustache, "field": PackageResources.field_mustache,
    "handOver": PackageResources.handOver_mustache, "page": PackageResources.page_mustache,
    "problem": PackageResources.problem_mustache, "prompt": PackageResources.prompt_mustache,
    "refusal": PackageResources.refusal_mustache, "session": PackageResources.session_mustache,
    "tabs": PackageResources.tabs_mustache,
  ]

  /// The maximum size of the kept renderings, in bytes.
  private static let capacity = 8 << 20

  private let library: MustacheLibrary
  private let keepsRenderings: Bool
  private let kept = Mutex(Renderings())

  private struct Renderings {
    var pages: [[UInt8]: PreparedPage] = [:]
    var size = 0
  }

  /// - Parameters:
  ///   - sources: the templates, by name.
  ///   - keepsRenderings: whether pages of one shape recur.
  package init(_ sources: [String: [UInt8]], keepsRenderings: Bool) {
    var library = MustacheLibrary()
    for (name, source) in sources {
      // Every test parses the embedded templates: a malformed one cannot reach a release.
      // swift-format-ignore: NeverUseForceTry
      library.register(try! MustacheTemplate(string: String(decoding: source, as: UTF8.self)), named: name)
    }
    self.library = library
    self.keepsRenderings = keepsRenderings
  }

  /// Renders a template with these values. Every text is escaped.
  package func render(_ template: StaticString, _ values: TemplateValue) -> ByteWriter {
    let shape = TemplateShape(of: values, for: template)
    let known = kept.withLock { $0.pages[shape.key] }
    return (known ?? prepare(template, values, shape.key)).filled(with: shape.texts)
  }

  private func prepare(_ template: StaticString, _ values: TemplateValue, _ key: [UInt8]) -> PreparedPage {
    let page = PreparedPage(library.render(values.marked(PreparedPage.mark), withTemplate: "\(template)") ?? "")
    guard keepsRenderings else { return page }
    let size = page.size + key.count
    kept.withLock { kept in
      // An app has few shapes. If a session makes many, starting anew is good enough.
      if kept.size + size > Self.capacity { kept = Renderings() }
      if kept.pages.updateValue(page, forKey: key) == nil { kept.size += size }
    }
    return page
  }
}
