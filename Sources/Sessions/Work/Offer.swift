internal import Navigation
internal import Values

// Offers: an event in the background does not make a client's request stale, unless it changes what the client saw of
// the request.
extension Snapshot {
  /// Returns the offer of a request in this view, for its URL: a digest of what the client sees of it. Nil if no event
  /// in the background can change the session, so that the revision alone says what the client has seen.
  ///
  /// - Parameter path: the path below that of the session, such as `/actions/pay` or `/back`.
  public func offer(of path: String) -> String? { hasWork ? offerDigest(of: path) : nil }

  /// Returns the path of a request in this view, with the query that says what the client has seen.
  package func target(of path: String) -> String {
    "\(path)?revision=\(session.revision)" + (offer(of: path).map { "&offer=\($0)" } ?? "")
  }

  /// 48 bits of a digest of the visible entry, the open prompt, the request and, for an action, whether it is enabled,
  /// its declaration and the values that the user agrees to.
  func offerDigest(of path: String) -> String {
    var parts = [Array("usher offer".utf8), Array(path.utf8), Array("\(visible.entry.id)".utf8)]
    switch state.prompt {
    case .asked(let asked):
      parts += [Array("\(asked.id) \(asked.prompt) \(asked.owner) \(asked.stack)".utf8), Array(asked.value.bytes)]
    case .leaving(let question): parts += [Array("leave \(question.id) \(question.entry)".utf8)]
    case .notice(let notice): parts += [Array("notice \(notice.id)".utf8)]
    case nil: break
    }
    if let action = visible.offered(at: path) {
      let agreement = visible.agreements[action.definition.index]
      parts += [
        Array("\(app.version) \(action.definition.index) \(action.disabled == nil)".utf8),
        agreement.map { Array($0.bytes) } ?? [],
      ]
      for limit in action.limits {
        parts += [Array(limit.field.utf8)]
        switch limit.kind {
        case .choices(let choices, _):
          for choice in choices {
            parts += [Array(choice.value.bytes), Array(choice.title.string.utf8)]
            if let hint = choice.hint { parts.append(Array("hint \(hint.string)".utf8)) }
          }
        case .bounds(let minimum, let maximum): parts += [minimum, maximum].map { Array(($0 ?? .null).bytes) }
        }
      }
    }
    if path == "/back", let back = visible.back { parts += [Array(back.title.string.utf8)] }
    return Base64URL.encode(Digest256(ofParts: parts).bytes.prefix(6))
  }
}

extension VisibleScreen {
  /// Returns the action of the open prompt or, without a prompt, of the screen.
  fileprivate func offered(at path: String) -> OfferedAction? {
    guard path.hasPrefix("/actions/") else { return nil }
    let name = path.dropFirst("/actions/".count)
    guard let prompt else { return actions.first { $0.definition.name == name } }
    for case .action(let button) in prompt.buttons where button.definition.name == name { return button }
    return nil
  }
}

extension Intent {
  /// The path of a request for the intent, below that of the session.
  var path: String {
    switch self {
    case .action(let name, _): "/actions/\(name)"
    case .back: "/back"
    case .dismiss: "/dismiss"
    case .tab(let name): "/tabs/\(name)"
    case .open: "/open"
    case .reload(let property): "/reload/\(property)"
    case .locale: "/locale"
    }
  }
}
