internal import Mustache
internal import Synchronization
internal import Values

/// The pages for browsers, as they are written in `Templates`.
///
/// A template is rendered once for each shape that its values have; after that, a page is that rendering with the texts put in.
/// Rendering looks every name up by dynamic casts, and costs ten times as much as all else that there is to a page.
final class HTMLTemplates: Sendable {
  enum Page: String {
    case apps, session, handOver, problem
    // Of the console.
    case sessionList, inspection, outline, consoleProblem

    var isOfConsole: Bool {
      switch self {
      case .apps, .session, .handOver, .problem: false
      case .sessionList, .inspection, .outline, .consoleProblem: true
      }
    }
  }

  static let shared = HTMLTemplates()

  /// Bytes of prepared pages that are kept.
  private static let capacity = 8 << 20

  private let library: MustacheLibrary
  private let prepared = Mutex(Prepared())

  private struct Prepared {
    var pages: [[UInt8]: PreparedPage] = [:]
    var size = 0
  }

  private init() {
    var library = MustacheLibrary()
    for (name, source) in Self.sources {
      // What is embedded is parsed by every test: a fault in it cannot get into a release.
      // swift-format-ignore: NeverUseForceTry
      library.register(try! MustacheTemplate(string: String(decoding: source, as: UTF8.self)), named: name)
    }
    self.library = library
  }

  private static let sources = [
    "page": PackageResources.page_mustache, "apps": PackageResources.apps_mustache,
    "session": PackageResources.session_mustache, "handOver": PackageResources.handOver_mustache,
    "problem": PackageResources.problem_mustache,
    "action": PackageResources.action_mustache, "block": PackageResources.block_mustache,
    "field": PackageResources.field_mustache, "prompt": PackageResources.prompt_mustache,
    "refusal": PackageResources.refusal_mustache, "tabs": PackageResources.tabs_mustache,
    "console": PackageResources.console_mustache, "sessionList": PackageResources.sessionList_mustache,
    "inspection": PackageResources.inspection_mustache, "outline": PackageResources.outline_mustache,
    "consoleProblem": PackageResources.consoleProblem_mustache, "picture": PackageResources.picture_mustache,
    "graph": PackageResources.graph_mustache,
  ]

  /// A page with these values in it; every text is escaped.
  func render(_ page: Page, _ values: TemplateValue) -> ByteWriter {
    let shape = TemplateShape(of: values, for: page)
    let known = prepared.withLock { $0.pages[shape.key] }
    return (known ?? prepare(page, values, shape.key)).filled(with: shape.texts)
  }

  private func prepare(_ page: Page, _ values: TemplateValue, _ key: [UInt8]) -> PreparedPage {
    let made = PreparedPage(library.render(values.marked(PreparedPage.mark), withTemplate: page.rawValue) ?? "")
    // They are asked for seldom, and no two have one shape.
    guard !page.isOfConsole else { return made }
    let size = made.size + key.count
    prepared.withLock { prepared in
      // Shapes are few; where somebody makes many, to begin anew is good enough.
      if prepared.size + size > Self.capacity { prepared = Prepared() }
      if prepared.pages.updateValue(made, forKey: key) == nil { prepared.size += size }
    }
    return made
  }
}
