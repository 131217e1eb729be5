internal import Navigation
internal import Sessions
internal import WebPages

/// The screens of an app as cards with a row for each action. Lines lead from each row to the screens that sessions
/// reached by it.
struct ScreenGraph {
  private static let card = 170
  private static let header = 34
  private static let row = 20
  private static let aisle = 70
  private static let gap = 26

  /// A declared action of a screen, or another step that sessions took from it.
  private struct Row {
    let name: String
    let isDeclared: Bool
    var targets: [(screen: Int, count: Int)] = []

    var count: Int { targets.reduce(0) { $0 + $1.count } }
  }

  private struct Card {
    let name: String
    let title: String?
    var rows: [Row]
    var column = 0
    var origin = Point(x: 0, y: 0)

    var height: Int { ScreenGraph.header + rows.count * ScreenGraph.row + 8 }

    /// Returns the height at which a row meets the edge of the card; nil for the header.
    func y(of row: Int?) -> Int {
      origin.y + (row.map { ScreenGraph.header + $0 * ScreenGraph.row + ScreenGraph.row / 2 } ?? ScreenGraph.header / 2)
    }

    mutating func add(_ step: ObservedStep, _ count: Int, leadingTo target: Int) {
      let known = rows.firstIndex { $0.name == step.name && (step.kind == .action || !$0.isDeclared) }
      if known == nil { rows.append(Row(name: step.name, isDeclared: false)) }
      rows[known ?? rows.count - 1].targets.append((target, count))
    }
  }

  private var cards: [Card]
  private var size = Size(width: 0, height: 0)

  init(of app: AppDefinition, _ counts: [ObservedStep: Int]) {
    cards = app.screens.map { screen in
      Card(
        name: screen.name, title: screen.fixedTitle?.string,
        rows: screen.actions.filter { !$0.takesAnswers }.map(\.name).withoutRepeats.map {
          Row(name: $0, isDeclared: true)
        })
    }
    let indices = Dictionary(uniqueKeysWithValues: app.screens.enumerated().map { ($1.name, $0) })
    // Sorted, because the order of a dictionary would change the picture each time.
    let steps = counts.sorted { a, b in
      (a.key.name, a.key.from ?? "", a.key.to, a.key.kind.rawValue) < (
        b.key.name, b.key.from ?? "", b.key.to, b.key.kind.rawValue
      )
    }
    var first: [Int] = []
    for (step, count) in steps {
      // The app may have removed a screen since.
      guard let target = indices[step.to] else { continue }
      if let from = step.from {
        if let index = indices[from] { cards[index].add(step, count, leadingTo: target) }
      } else {
        first.append(target)
      }
    }
    arrange(app, from: first)
  }

  // MARK: - Arrangement

  /// Assigns each screen the column of its distance in steps from the start. A screen that no session reached gets the
  /// column of its coordinator's depth.
  private mutating func arrange(_ app: AppDefinition, from first: [Int]) {
    let columns = Self.distances(from: first) { screen in
      cards[screen].rows.filter(\.isDeclared).flatMap { $0.targets.map(\.screen) }
    }
    let depths = Self.depths(of: app)
    for index in cards.indices { cards[index].column = columns[index] ?? depths[index] }
    // Empty columns take no space.
    let used = Set(cards.map(\.column)).sorted()
    for index in cards.indices { cards[index].column = used.firstIndex(of: cards[index].column) ?? 0 }
    for column in used.indices { stack(column) }
    size.width = used.count * (Self.card + Self.aisle) - Self.aisle + 2 * Self.gap
  }

  /// The depth of the shallowest coordinator that shows each screen, by the screen's index.
  private static func depths(of app: AppDefinition) -> [Int] {
    let depths = distances(from: [0]) { app.coordinators[$0].startedCoordinators }
    return app.screens.indices.map { screen in
      app.coordinators.indices.filter { app.coordinators[$0].shownScreens.contains(screen) }
        .compactMap { depths[$0] }.min() ?? 0
    }
  }

  /// Returns the distance of each reachable node from the nearest start, in edges.
  private static func distances(from starts: [Int], _ next: (Int) -> some Sequence<Int>) -> [Int: Int] {
    var distances: [Int: Int] = [:]
    for start in starts { distances[start] = 0 }
    var queue = starts
    while let node = queue.first {
      queue.removeFirst()
      for target in next(node) where distances[target] == nil {
        distances[target] = (distances[node] ?? 0) + 1
        queue.append(target)
      }
    }
    return distances
  }

  /// Stacks the screens of a column, each near the screens that lead to it.
  private mutating func stack(_ column: Int) {
    let members = cards.indices.filter { cards[$0].column == column }
    let order = members.map { ($0, height(leadingTo: $0, from: column - 1)) }.sorted { ($0.1, $0.0) < ($1.1, $1.0) }
    var y = Self.gap
    for (index, _) in order {
      cards[index].origin = Point(x: Self.gap + column * (Self.card + Self.aisle), y: y)
      y += cards[index].height + Self.gap
    }
    size.height = max(size.height, y)
  }

  /// Returns the mean height of the rows that lead to a screen.
  private func height(leadingTo target: Int, from column: Int) -> Int {
    var heights: [Int] = []
    for card in cards where card.column == column {
      for (index, row) in card.rows.enumerated() where row.targets.contains(where: { $0.screen == target }) {
        heights.append(card.y(of: index))
      }
    }
    return heights.isEmpty ? .max : heights.reduce(0, +) / heights.count
  }

  // MARK: - The picture

  var templateValue: TemplateValue {
    [
      "width": .text("\(size.width)"), "height": .text("\(size.height)"),
      "lines": .list(cards.indices.flatMap { lines(from: $0) }.map(\.templateValue)),
      "cards": .list(
        cards.map { card in
          [
            "x": .text("\(card.origin.x)"), "y": .text("\(card.origin.y)"), "width": .text("\(Self.card)"),
            "height": .text("\(card.height)"), "name": .text(card.name.clipped(to: Self.card - 20)),
            "hover": .text(card.title ?? card.name),
            "rows": .list(
              card.rows.enumerated().map { index, row in
                [
                  "y": .text("\(card.y(of: index) - card.origin.y + 4)"), "name": .text(row.name.clipped(to: 110)),
                  "count": row.count == 0 ? nil : .text("\(row.count)"),
                  "style": .text(row.isDeclared ? "declared" : "undeclared"),
                ]
              }),
          ]
        }),
    ]
  }

  private func lines(from index: Int) -> [Line] {
    let card = cards[index]
    return card.rows.enumerated().flatMap { number, row in
      row.targets.map { target, count in
        line(
          from: card, card.y(of: number), to: cards[target], style: row.isDeclared ? "declared" : "undeclared",
          hover: "\(row.name): \(card.name) to \(cards[target].name), \(count)")
      }
    }
  }

  /// Returns the curve of a step. It leaves at the edge that faces the target, and curves around within a column.
  private func line(from card: Card, _ y: Int, to target: Card, style: String, hover: String) -> Line {
    let right = Point(x: card.origin.x + Self.card, y: y)
    let end = Point(x: target.origin.x, y: target.y(of: nil))
    if target.column > card.column { return .across(right, end, style: style, hover: hover) }
    let back = Point(x: target.origin.x + Self.card, y: end.y)
    if target.column < card.column {
      var line = Line.across(back, Point(x: card.origin.x, y: y), style: style, hover: hover)
      line.isBackwards = true
      return line
    }
    let bend = right.x + 36
    return Line(
      path: "M\(right.x) \(right.y)C\(bend) \(right.y) \(bend) \(back.y) \(back.x) \(back.y)", style: style,
      hover: hover)
  }
}
