internal import Languages
internal import Navigation
internal import Sessions
internal import Values

/// The `navigation` of the view.
extension JSONWriter {
  mutating func navigation(of snapshot: Snapshot, _ labels: AppLabels, at address: SessionAddress) {
    let visible = snapshot.visible
    beginObject("navigation")
    beginArray("path")
    path(to: visible.owner, among: snapshot.navigation.state.nodes, of: snapshot.app)
    endArray()
    beginArray("stack")
    let entries = visible.stack.span
    // Neighbours are often screens of one name. Loading the label once avoids reference counting.
    var (screen, label): (Int?, [UInt8]?) = (nil, nil)
    for index in entries.indices {
      literal("{\"id\":")
      bytes.append(decimal: Int64(entries[index].id.rawValue))
      if entries[index].screen != screen || index == 0 {
        screen = entries[index].screen
        label = screen.flatMap { labels.screens[$0] }
      }
      if let label {
        fragment(label)
      } else {
        member("name", snapshot.app.name(of: entries[index]))
        member("title", visible.madeTitles[entries[index].id]?.string ?? "")
      }
      endObject()
    }
    endArray()
    object("back", visible.back) { json, back in
      json.member("title", back.title.string)
      address.writeLink(to: &json, "/back")
    }
    object("dismiss", visible.canDismiss ? () : nil) { json, _ in address.writeLink(to: &json, "/dismiss") }
    key(literal: "tabs")
    if visible.tabBars.isEmpty { null() } else { write(visible.tabBars[...], at: address) }
    member("modals", visible.modals)
    endObject()
  }

  /// Writes the names of the coordinators from the root to `node`. Unlike an array of them, recursion allocates nothing.
  private mutating func path(to node: Node, among nodes: [Node], of app: AppDefinition) {
    if let parent = nodes.first(where: { $0.id == node.parent }) { path(to: parent, among: nodes, of: app) }
    string(app.name(of: node))
  }

  /// - Parameter bars: a bar, and those around it.
  private mutating func write(_ bars: ArraySlice<VisibleTabBar>, at address: SessionAddress) {
    let (bar, canSelect) = (bars[bars.startIndex].bar, bars[bars.startIndex].canSelect)
    beginObject()
    member("selected", bar.tabs[bar.selected].name)
    beginArray("items")
    let tabs = bar.tabs.span
    for index in tabs.indices {
      beginObject()
      member("name", tabs[index].name)
      member("title", tabs[index].title.string)
      member("icon", tabs[index].icon)
      member("badge", tabs[index].badge)
      if canSelect[index] {
        address.writeLink(to: &self, "/tabs/", tabs[index].name)
      } else {
        literal("\"method\":null,\"href\":null")
      }
      endObject()
    }
    endArray()
    if bars.count > 1 {
      key(literal: "outer")
      write(bars.dropFirst(), at: address)
    }
    endObject()
  }
}

extension AppDefinition {
  /// Returns the name of the entry's screen or, for a tab bar, of the selected tab.
  fileprivate func name(of entry: Entry) -> String {
    switch entry.content {
    case .screen(let index, _): screens[index].name
    case .tabs(let bar): bar.tabs[bar.selected].name
    }
  }
}

/// The URLs of one session at one revision.
struct SessionAddress {
  private let id: SessionID
  private let revision: UInt64
  /// The view whose requests have offers; nil if the revision is enough.
  private let offering: Snapshot?
  /// The locale of the service's own texts.
  private let locale: String?

  init(of snapshot: Snapshot) {
    id = snapshot.id
    revision = snapshot.session.revision
    offering = snapshot.hasWork ? snapshot : nil
    locale = snapshot.app.language ?? snapshot.session.locale
  }

  /// The language of the service's own texts.
  var language: ServiceLanguage { .of(locale) }

  /// Writes a member with the URL of a part of the session.
  @inline(__always)
  func write(_ name: StaticString, to json: inout JSONWriter, _ part: StaticString = "") {
    json.key(literal: name)
    open(&json, part)
    json.bytes.append(UInt8(ascii: "\""))
  }

  /// Writes the URL of the view with other pages of its lists.
  func writeView(showing pages: String, to json: inout JSONWriter) {
    open(&json, "?rows=")
    json.bytes.append(pages)
    json.bytes.append(UInt8(ascii: "\""))
  }

  /// Writes the members `method` and `href` of an action at this revision. A declared `name` needs no escape.
  func writeLink(to json: inout JSONWriter, _ part: StaticString, _ name: String = "") {
    json.literal("\"method\":\"POST\"")
    json.key(literal: "href")
    open(&json, part)
    json.bytes.append(name)
    json.bytes.append(literal: "?revision=")
    json.bytes.append(decimal: revision)
    if let offer = offering?.offer(of: "\(part)\(name)") {
      json.bytes.append(literal: "&offer=")
      json.bytes.append(offer)
    }
    json.bytes.append(UInt8(ascii: "\""))
  }

  /// Writes the URL as a string without its closing quote.
  private func open(_ json: inout JSONWriter, _ part: StaticString) {
    json.literal("\"/v1/sessions/")
    json.bytes.append(id.characters.span.extracting(0..<id.count))
    json.bytes.append(literal: part)
  }
}
