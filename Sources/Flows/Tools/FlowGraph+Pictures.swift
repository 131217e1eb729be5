extension FlowGraph {
  /// The graph in the language of Mermaid, which Markdown viewers draw.
  package var mermaid: String {
    var lines = ["flowchart LR"]
    // Names are labels alone: end, for example, is a word of the language.
    for (number, coordinator) in coordinators.enumerated() {
      let shown = screens.indices.filter { screens[$0].coordinator == coordinator }
      if shown.isEmpty { continue }
      lines.append("  subgraph c\(number)[\"\(coordinator)\"]")
      lines += shown.map { "    s\($0)[\"\(screens[$0].name)\"]" }
      lines.append("  end")
    }
    lines += steps.map { "  s\($0.from) -->|\"\($0.label)\"| s\($0.to)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The graph as a picture. Each column has the screens of one distance from the start.
  package var svg: String { GraphPicture(self).svg }
}

/// The positions of screens and steps in a picture.
private struct GraphPicture {
  private static let box = (width: 150, height: 44)
  private static let gap = (x: 190, y: 44)
  private static let margin = 24
  /// The colours of coordinators, dark enough for text on white (WCAG 2.2, 1.4.3).
  private static let colours = ["#1d4ed8", "#b45309", "#047857", "#7e22ce", "#be123c", "#0e7490", "#4d7c0f", "#334155"]

  private let graph: FlowGraph
  private let positions: [(x: Int, y: Int)]
  private let size: (width: Int, height: Int)

  init(_ graph: FlowGraph) {
    self.graph = graph
    let last = (graph.screens.compactMap(\.depth).max() ?? 0) + 1
    var rows: [Int: Int] = [:]
    // A screen that no action leads to stands in a column of its own.
    let positions = graph.screens.map { screen in
      let column = screen.depth ?? last
      let row = rows[column, default: 0]
      rows[column] = row + 1
      return (
        x: Self.margin + column * (Self.box.width + Self.gap.x), y: Self.margin + row * (Self.box.height + Self.gap.y)
      )
    }
    self.positions = positions
    size = (
      (positions.map(\.x).max() ?? 0) + Self.box.width + Self.margin + Self.gap.x,
      (positions.map(\.y).max() ?? 0) + Self.box.height + Self.margin + Self.gap.y
    )
  }

  var svg: String {
    let head =
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(size.width) \(size.height)\" "
      + "width=\"\(size.width)\" height=\"\(size.height)\" font-family=\"system-ui, sans-serif\" role=\"img\">\n"
      + "<title>\(graph.title.escaped)</title>\n"
      + "<defs><marker id=\"end\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
      + "orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" fill=\"#475569\"/></marker></defs>\n"
      + "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    let pairs = Dictionary(grouping: graph.steps) { [$0.from, $0.to] }
    let lines = pairs.keys.sorted { $0.lexicographicallyPrecedes($1) }.map { pair in
      line(from: pair[0], to: pair[1], (pairs[pair] ?? []).map(\.label))
    }
    // Labels above all lines, and each where nothing else stands.
    var taken = positions.map { Area(x: $0.x, y: $0.y, width: Self.box.width, height: Self.box.height) }
    let labels = lines.map { label($0, avoiding: &taken) }
    return head + lines.map(\.path).joined() + labels.joined() + graph.screens.indices.map { box($0) }.joined()
      + "</svg>\n"
  }

  private func colour(of screen: FlowGraph.Screen) -> String {
    Self.colours[(graph.coordinators.firstIndex(of: screen.coordinator) ?? 0) % Self.colours.count]
  }

  private func box(_ index: Int) -> String {
    let (screen, position, colour) = (graph.screens[index], positions[index], colour(of: graph.screens[index]))
    let middle = position.x + Self.box.width / 2
    return
      "<g><rect x=\"\(position.x)\" y=\"\(position.y)\" width=\"\(Self.box.width)\" height=\"\(Self.box.height)\" rx=\"8\" "
      + "fill=\"#ffffff\" stroke=\"\(colour)\" stroke-width=\"2\"/>"
      + "<text x=\"\(middle)\" y=\"\(position.y + 19)\" text-anchor=\"middle\" font-size=\"13\" fill=\"#0f172a\">"
      + "\(screen.name.shortened(20).escaped)</text>"
      + "<text x=\"\(middle)\" y=\"\(position.y + 35)\" text-anchor=\"middle\" font-size=\"10\" fill=\"\(colour)\">"
      + "\(screen.coordinator.shortened(24).escaped)</text></g>\n"
  }

  private struct Area {
    var x: Int
    var y: Int
    let width: Int
    let height: Int

    func overlaps(_ other: Area) -> Bool {
      x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
    }
  }

  /// The line of steps, and the position of its label without regard to others.
  private struct Line {
    let path: String
    let label: (x: Int, y: Int)
    let texts: [String]
  }

  private func label(_ line: Line, avoiding taken: inout [Area]) -> String {
    let text = line.texts.joined(separator: ", ").shortened(30)
    // About the width of a letter of this size.
    let width = text.count * 6
    var area = Area(x: line.label.x - width / 2, y: line.label.y - 10, width: width, height: 13)
    for distance in [0, -14, 14, -28, 28, -42, 42, -56, 56, -70, 70] {
      let moved = Area(x: area.x, y: line.label.y - 10 + distance, width: width, height: 13)
      guard moved.y >= 0, !taken.contains(where: { $0.overlaps(moved) }) else { continue }
      area = moved
      break
    }
    taken.append(area)
    return
      "<text x=\"\(line.label.x)\" y=\"\(area.y + 10)\" text-anchor=\"middle\" font-size=\"10\" fill=\"#334155\" "
      + "stroke=\"#ffffff\" stroke-width=\"3\" paint-order=\"stroke\"><title>"
      + "\(line.texts.joined(separator: ", ").escaped)</title>\(text.escaped)</text>\n"
  }

  private func line(from source: Int, to target: Int, _ labels: [String]) -> Line {
    let (from, to) = (positions[source], positions[target])
    let half = Self.box.height / 2
    let path: String
    let label: (x: Int, y: Int)
    if source == target {
      let (x, y) = (from.x + Self.box.width, from.y + half)
      path = "M\(x) \(y - 8)c28 -14 28 30 0 16"
      label = (x + 92, y + 4)
    } else if to.x > from.x {
      let (x1, y1, x2, y2) = (from.x + Self.box.width, from.y + half, to.x, to.y + half)
      let bend = (x2 - x1) / 2
      path = "M\(x1) \(y1)C\(x1 + bend) \(y1) \(x2 - bend) \(y2) \(x2) \(y2)"
      label = ((x1 + x2) / 2, (y1 + y2) / 2 - 4)
    } else if to.x == from.x {
      // In one column, past the left side of the boxes between them.
      let (x, y1, y2) = (from.x, from.y + half, to.y + half)
      path = "M\(x) \(y1)C\(x - 46) \(y1) \(x - 46) \(y2) \(x) \(y2)"
      label = (x - 40, (y1 + y2) / 2)
    } else {
      // Back, below the boxes.
      let (x1, y1) = (from.x + Self.box.width / 2, from.y + Self.box.height)
      let (x2, y2) = (to.x + Self.box.width / 2, to.y + Self.box.height)
      let low = max(y1, y2) + Self.gap.y - 6
      path = "M\(x1) \(y1)C\(x1) \(low) \(x2) \(low) \(x2) \(y2)"
      label = ((x1 + x2) / 2, low - 8)
    }
    return Line(
      path: "<path d=\"\(path)\" fill=\"none\" stroke=\"#64748b\" stroke-width=\"1.3\" marker-end=\"url(#end)\"/>\n",
      label: label, texts: labels)
  }
}

extension String {
  fileprivate var escaped: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
      "\"", with: "&quot;")
  }

  /// The text with at most this many characters.
  fileprivate func shortened(_ count: Int) -> String { self.count > count ? "\(prefix(count - 1))…" : self }
}
