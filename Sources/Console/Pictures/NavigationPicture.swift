internal import Navigation
internal import Values
internal import WebPages

/// The coordinator tree beside the presentation. A frame holds a stack with its top above, and its modal above that. A
/// line joins each entry to its owner.
struct NavigationPicture {
  private static let node = Size(width: 180, height: 44)
  private static let entry = Size(width: 200, height: 44)
  private static let gap = 10
  private static let header = 26
  /// The height of the headings above the two sides.
  private static let top = 34
  private static let indent = 22
  /// The width between the sides, for the lines.
  private static let aisle = 110

  private let app: AppDefinition
  private let state: SessionState
  private let hidden: HiddenValues
  private let visible: EntryID?
  private var nodes: [NodeID: Box] = [:]
  private var branches: [Line] = []
  private var frames: [Box] = []
  private var entries: [Box] = []
  private var joints: [Line] = []
  private var presentation = Point(x: 0, y: 0)
  private var size = Size(width: 0, height: 0)

  init(of app: AppDefinition, _ state: SessionState, _ hidden: HiddenValues) {
    self.app = app
    self.state = state
    self.hidden = hidden
    visible = state.visibleEntry?.id
    var tree = Size(width: 0, height: Self.top)
    if let root = state.nodes.first {
      let shown = state.visibleEntry.map { state.path(to: $0.owner).map(\.id) } ?? []
      tree = draw(root, depth: 0, below: tree, on: Set(shown))
    }
    presentation = Point(x: tree.width + Self.aisle, y: Self.top)
    let prompts = drawPrompts()
    let stack = draw(state.root, "root stack", "stack", at: presentation + Point(x: 0, y: prompts))
    size = Size(
      width: presentation.x + stack.width + 1, height: max(tree.height, presentation.y + prompts + stack.height) + 1)
  }

  var templateValue: TemplateValue {
    [
      "width": .text("\(size.width)"), "height": .text("\(size.height)"),
      "presentation": .text("\(presentation.x)"),
      "frames": .list(frames.map(\.templateValue)), "branches": .list(branches.map(\.templateValue)),
      "joints": .list(joints.map(\.templateValue)),
      "boxes": .list((state.nodes.compactMap { nodes[$0.id] } + entries).map(\.templateValue)),
    ]
  }

  // MARK: - The tree

  /// Draws a coordinator and its descendants below the existing shapes, and returns the size of all.
  private mutating func draw(_ node: Node, depth: Int, below drawn: Size, on shown: Set<NodeID>) -> Size {
    let origin = Point(x: depth * Self.indent + 1, y: drawn.height)
    let values = "\(hidden.hiding(node.state.encoding))"
    let box = Box(
      origin: origin, size: Self.node, title: app.name(of: node),
      detail: "\(node.id)" + (node.state.encoding.count == 0 ? "" : " · \(values)"), hover: values,
      style: "node \(hue(of: node.id))" + (shown.contains(node.id) ? " shown" : ""))
    nodes[node.id] = box
    if let parent = node.parent.flatMap({ nodes[$0] }) {
      let x = parent.origin.x + Self.indent / 2
      branches.append(Line(path: "M\(x) \(parent.origin.y + Self.node.height)V\(box.left.y)H\(origin.x)"))
    }
    var size = Size(
      width: max(drawn.width, origin.x + Self.node.width), height: drawn.height + Self.node.height + Self.gap)
    for child in state.nodes where child.parent == node.id {
      size = draw(child, depth: depth + 1, below: size, on: shown)
    }
    return size
  }

  /// Returns one of eight colours, the same for a coordinator and its entries.
  private func hue(of node: NodeID) -> String { "hue\((state.nodes.firstIndex { $0.id == node } ?? 0) % 8)" }

  // MARK: - The presentation

  /// Draws a stack with its entries and its modal, and returns its size.
  private mutating func draw(_ stack: Stack, _ title: String, _ style: String, at origin: Point) -> Size {
    let frame = frames.count
    frames.append(Box(origin: origin, size: Size(width: 0, height: 0), title: "", style: ""))
    var inner = Size(width: Self.entry.width, height: Self.header)
    func add(_ size: Size) {
      inner.width = max(inner.width, size.width)
      inner.height += size.height + Self.gap
    }
    let start = { Point(x: origin.x + Self.gap, y: origin.y + inner.height) }
    if let modal = state.modal(over: stack.id) { add(draw(modal, "modal · stack", "modal", at: start())) }
    for entry in stack.entries.reversed() {
      switch entry.content {
      case .screen(let index, let value): add(draw(entry, index, value.encoding, at: start()))
      case .tabs(let bar): add(draw(entry, bar, at: start()))
      }
    }
    let size = Size(width: inner.width + 2 * Self.gap, height: inner.height)
    frames[frame] = Box(origin: origin, size: size, title: "\(title) \(stack.id)", style: style)
    return size
  }

  private mutating func draw(_ entry: Entry, _ screen: Int, _ value: Value, at origin: Point) -> Size {
    let title = hidden.hiding((try? app.title(of: entry, in: state).string) ?? "")
    add(
      Box(
        origin: origin, size: Self.entry, title: app.screens[screen].name,
        detail: "\(entry.id) · \(title)" + (entry.leavePolicy == .free ? "" : " · \(entry.leavePolicy)"),
        hover: "\(hidden.hiding(value))",
        style: "entry \(hue(of: entry.owner))" + (entry.id == visible ? " shown" : "")), ownedBy: entry.owner)
    return Self.entry
  }

  /// Draws the tabs below each other, so that no line crosses another tab.
  private mutating func draw(_ entry: Entry, _ bar: TabBar, at origin: Point) -> Size {
    add(
      Box(
        origin: origin, size: Self.entry, title: "tab bar",
        detail: "\(entry.id) · \(bar.tabs[bar.selected].name) is selected",
        style: "entry tabs \(hue(of: entry.owner))"), ownedBy: entry.owner)
    var size = Self.entry
    for (index, tab) in bar.tabs.enumerated() {
      guard let stack = state.stack(tab.stack) else { continue }
      let badge = tab.badge.map { ", badge \($0)" } ?? ""
      let drawn = draw(
        stack, "tab \(tab.name)\(badge) · stack", index == bar.selected ? "tab selected" : "tab",
        at: origin + Point(x: Self.indent, y: size.height + Self.gap))
      size.width = max(size.width, Self.indent + drawn.width)
      size.height += Self.gap + drawn.height
    }
    return size
  }

  /// Draws the open prompt above everything else, and returns its height.
  private mutating func drawPrompts() -> Int {
    var height = 0
    for prompt in openPrompts {
      let box = Box(
        origin: presentation + Point(x: Self.gap, y: height), size: Self.entry, title: prompt.title, detail: "prompt",
        hover: "\(hidden.hiding(prompt.values))", style: "entry prompt \(hue(of: prompt.owner))")
      add(box, ownedBy: prompt.owner)
      height += Self.entry.height + Self.gap
    }
    return height
  }

  /// Returns the open prompts and those that wait. The prompt that is answered first comes first.
  private var openPrompts: [(title: String, values: Value, owner: NodeID)] {
    let asked = state.askedPrompts.map { (app.prompts[$0.prompt].name, $0.value, $0.owner) }
    guard case .leaving(let question) = state.prompt else { return asked }
    return [("leave?", .null, state.entry(question.entry)?.owner ?? state.nodes[0].id)] + asked
  }

  private mutating func add(_ box: Box, ownedBy owner: NodeID) {
    entries.append(box)
    guard let node = nodes[owner] else { return }
    joints.append(.across(node.right, box.left, style: hue(of: owner)))
  }
}
