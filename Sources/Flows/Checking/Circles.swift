/// A search for the nodes of a graph that may lead back to themselves.
enum Circles {
  /// Returns the nodes that remain without those that lead nowhere, and without those to which nothing leads. In a graph
  /// without circles, none remain.
  ///
  /// - Parameter next: the nodes to which each one leads.
  static func candidates(_ next: [[Int]]) -> Set<Int> {
    var previous = [[Int]](repeating: [], count: next.count)
    for (node, following) in next.enumerated() { for other in following { previous[other].append(node) } }
    let leading = remaining(next, previous)
    return leading.intersection(remaining(previous, next))
  }

  /// Returns circles, each from its first node back to that. No circle begins at a node of another one.
  static func all(_ next: [[Int]], _ budget: WorkBudget) -> [[Int]] {
    var reported: Set<Int> = []
    return candidates(next).sorted().compactMap { start in
      guard !reported.contains(start), let circle = circle(from: start, next, budget) else { return nil }
      reported.formUnion(circle)
      return circle
    }
  }

  /// Returns the nodes from one back to itself, each of which leads to the next one; nil if there is no such way.
  static func circle(from start: Int, _ next: [[Int]], _ budget: WorkBudget) -> [Int]? {
    var leaders: [Int: Int] = [:]
    var open = [start]
    while let current = open.popLast(), budget.visit(next[current].count) {
      for following in next[current] {
        if following == start {
          return sequence(first: current) { $0 == start ? nil : leaders[$0] }.reversed() + [start]
        }
        guard leaders[following] == nil else { continue }
        leaders[following] = current
        open.append(following)
      }
    }
    return nil
  }

  /// Returns the nodes that remain if those without a way out are removed again and again.
  private static func remaining(_ next: [[Int]], _ previous: [[Int]]) -> Set<Int> {
    var counts = next.map(\.count)
    var removed = counts.indices.filter { counts[$0] == 0 }
    var remaining = Set(counts.indices).subtracting(removed)
    while let node = removed.popLast() {
      for other in previous[node] {
        counts[other] -= 1
        if counts[other] == 0, remaining.remove(other) != nil { removed.append(other) }
      }
    }
    return remaining
  }
}
