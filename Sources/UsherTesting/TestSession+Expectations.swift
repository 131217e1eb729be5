internal import HTTPAPI
internal import Navigation
internal import Sessions
public import Testing
internal import TimeZones
internal import Values

// An expectation that fails records an issue of Swift Testing with the difference, and the test goes on.
extension TestSession {
  /// Expects the titles of the visible stack, bottom first.
  ///
  ///     session.expect(stack: ["Check in", "Your appointment"])
  public func expect(stack: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    compare("stack", stack, titles, sourceLocation)
  }

  /// Expects the visible screen as `usher play` shows it, with its prompt, its actions and its ways out.
  ///
  ///     session.expect(
  ///       screen: """
  ///         Your appointment
  ///         Doctor  Dr. Okafor
  ///         1 That is mine
  ///         b Back to Check in
  ///         """)
  ///
  /// The layout does not count: blank lines, underlines, indentation and the number of spaces.
  public func expect(screen: String, sourceLocation: SourceLocation = #_sourceLocation) {
    compare("screen", screen.contentLines, terminalText.contentLines, sourceLocation)
  }

  /// Expects the names of the coordinators, each below its parent and indented by two spaces.
  ///
  ///     session.expect(
  ///       tree: """
  ///         check-in
  ///           identification
  ///         """)
  public func expect(tree: String, sourceLocation: SourceLocation = #_sourceLocation) {
    compare("coordinator tree", tree.split(separator: "\n").map { String($0) }, treeLines(below: nil), sourceLocation)
  }

  /// Expects the pending work in the order of the requests: effects, timers with the time until they fire, and signals.
  ///
  ///     session.expect(pending: ["effect fetch-quote", "timer quote-expired in 120 s", "signal payment-settled"])
  ///
  /// A key follows in quotes: `effect open-payment "q1"`.
  public func expect(pending: [String], sourceLocation: SourceLocation = #_sourceLocation) {
    compare("pending work", pending, state.work.map(line), sourceLocation)
  }

  private func compare(_ part: String, _ expected: [String], _ found: [String], _ sourceLocation: SourceLocation) {
    guard expected != found else { return }
    let difference = lineDifference(expected: expected, found: found)
    Issue.record("The \(part) differs: - expected, + found\n\(difference)", sourceLocation: sourceLocation)
  }

  /// The view as the terminal client shows it.
  private var terminalText: String {
    let id = SessionID.random()
    let creation = JournalEntry(
      revision: 1, at: now, kind: .create, name: "create", input: .emptyObject, screen: view.screen.name)
    let navigation = LiveNavigation(app: app, state: state)
    let session = StoredSession(
      key: SessionKey(id), app: app.name, createdAt: now, expiresAt: now,
      locale: state.environment.locale, timeZone: state.environment.timeZone?.name, revision: 1,
      navigation: .live(navigation), journal: Journal(creation))
    return Snapshot(id: id, session: session, navigation: navigation, visible: view).text
  }

  private func treeLines(below parent: NodeID?) -> [String] {
    state.nodes.filter { $0.parent == parent }.flatMap { node in
      [app.name(of: node)] + treeLines(below: node.id).map { "  " + $0 }
    }
  }

  private func line(of work: PendingWork) -> String {
    let name = app.name(of: work)
    let (text, key) =
      switch work.content {
      case .effect(let effect): ("effect \(name)", effect.key?.description)
      case .timer(let timer):
        (dueAt(work).map { "timer \(name) in \(seconds(until: $0)) s" } ?? "timer \(name) before the end", timer.key)
      case .signal(let signal): ("signal \(name)", signal.key)
      }
    return text + (key.map { " \"\($0)\"" } ?? "")
  }

  private func seconds(until time: Timestamp) -> String {
    let milliseconds = time.milliseconds - now.milliseconds
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)" : "\(Double(milliseconds) / 1000)"
  }
}

extension String {
  /// The lines without their layout.
  fileprivate var contentLines: [String] {
    split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      .filter { line in !line.allSatisfy { $0 == "=" } && !line.allSatisfy { $0 == "-" } }
  }
}

/// Returns all lines, each after `- ` if it is only expected, after `+ ` if it is only found, or after two spaces.
private func lineDifference(expected: [String], found: [String]) -> String {
  var lines = expected.map { "  " + $0 }
  let difference = found.difference(from: expected)
  for case .remove(let offset, let line, _) in difference { lines[offset] = "- " + line }
  for case .insert(let offset, let line, _) in difference {
    // A line that is only expected takes no position among the found ones.
    let positions = lines.indices.filter { !lines[$0].hasPrefix("- ") }
    lines.insert("+ " + line, at: offset < positions.count ? positions[offset] : lines.endIndex)
  }
  return lines.joined(separator: "\n")
}
