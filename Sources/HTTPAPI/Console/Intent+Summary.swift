internal import Navigation
internal import Values

/// What was asked for or waits, in a few words and without secrets.
extension Intent {
  func summary(_ app: AppDefinition) -> String {
    switch self {
    case .action(let name, let input): name.adding(input, app)
    case .back: "back"
    case .dismiss: "dismiss"
    case .tab(let name): "tab \(name)"
    case .open(let link): "open \(link)"
    }
  }
}

extension PendingIntent {
  func summary(_ app: AppDefinition) -> String {
    switch content {
    case .action(let name, let input, let origin): "\(name.adding(input, app)) of entry \(origin)"
    case .button(let name, let input, _): "\(name.adding(input, app)) of a prompt"
    case .link(let link): "open \(link)"
    }
  }
}

extension PendingIntent.Awaited {
  var summary: String {
    switch self {
    case .coordinator(let id): "the end of coordinator \(id)"
    case .entry(let id): "the end of entry \(id)"
    case .prompt: "the answer to the prompt"
    case .nothing: "nothing"
    }
  }
}

extension String {
  fileprivate func adding(_ input: Value, _ app: AppDefinition) -> String {
    input.count == 0 ? self : "\(self) \(app.input(of: self).hidingSecrets(of: input))"
  }
}
