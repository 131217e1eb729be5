internal import Navigation
internal import Values

/// What was asked for or waits, in a few words.
extension Intent {
  var summary: String {
    switch self {
    case .action(let name, let input): name.adding(input)
    case .back: "back"
    case .dismiss: "dismiss"
    case .tab(let name): "tab \(name)"
    case .open(let link): "open \(link)"
    }
  }
}

extension Wish {
  var summary: String {
    switch content {
    case .action(let name, let input, let origin): "\(name.adding(input)) of entry \(origin)"
    case .button(let name, let input, _): "\(name.adding(input)) of a prompt"
    case .link(let link): "open \(link)"
    }
  }
}

extension Wish.Awaited {
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
  fileprivate func adding(_ input: Value) -> String {
    input.count == 0 ? self : "\(self) \(input)"
  }
}
