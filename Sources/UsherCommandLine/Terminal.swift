internal import Foundation
internal import HTTPTransport
internal import UsherClient
internal import Values

/// A person at a terminal: shows each screen, and does what is typed.
struct Terminal {
  private let service: UsherService
  /// What the person has the address of.
  private let place: Place

  private enum Place {
    case service
    case session(String)
    case handOver(String)
  }

  private let app: String?

  init(_ url: URL, token: String?, app: String?) {
    var configuration = CurlTransport.Configuration()
    configuration.usesEnvironmentProxies = true
    service = UsherService(
      URL(string: "/", relativeTo: url)?.absoluteURL ?? url, token: token, transport: CurlTransport(configuration))
    place =
      if url.path.hasPrefix("/v1/sessions/") {
        .session(url.path)
      } else if url.path.hasPrefix("/v1/hand-overs/") {
        .handOver(url.path)
      } else {
        .service
      }
    self.app = app
  }

  func run() async throws {
    guard let session = try await open() else { return }
    var notice: String?
    while true {
      let view = await session.view
      show(view, notice)
      notice = nil
      guard view.session.status == .active else { return }
      guard let typed = ask("> ")?.trimmingCharacters(in: .whitespaces), typed != "q" else {
        print("\nThe session goes on at \(service.base.absoluteString.dropLast())\(session.address)")
        return
      }
      do {
        if typed.isEmpty {
          try await session.refresh()
        } else if let choice = view.choices.first(where: { $0.key == typed }) {
          try await go(choice, session)
        } else {
          notice = "There is no \(typed) here: type one of the keys, or q."
        }
      } catch let error as UsherError {
        notice = try explanation(of: error)
      }
    }
  }

  private func open() async throws -> UsherSession? {
    switch place {
    case .session(let address): return try await service.resume(address)
    case .handOver(let link): return try await service.takeOver(link)
    case .service: break
    }
    if let app { return try await service.start(app) }
    let apps = try await service.apps()
    for (number, app) in apps.enumerated() { print("  \(number + 1)  \(app.title.plain)") }
    while let typed = ask("Which app? "), typed != "q" {
      if let number = Int(typed), apps.indices.contains(number - 1) {
        return try await service.start(apps[number - 1].name)
      }
      print("Type one of the numbers, or q.")
    }
    return nil
  }

  private func go(_ choice: TextChoice, _ session: UsherSession) async throws {
    switch choice.kind {
    case .back: try await session.back()
    case .dismiss: try await session.dismiss()
    case .tab(let name): try await session.select(tab: name)
    case .action(let action):
      guard let input = input(of: action) else { return }
      try await session.act(action.name, input)
    }
  }

  /// Nil where the person leaves in the middle of it.
  private func input(of action: Action) -> Value? {
    var members: [(String, Value)] = []
    for field in action.input.fields {
      if let description = field.description { print("    \(description.plain)") }
      for (number, choice) in (field.choices ?? []).enumerated() { print("    \(number + 1)  \(choice.title.plain)") }
      let hint = field.kind == .boolean ? " (yes or no)" : field.isRequired ? "" : " (optional)"
      guard let typed = ask("  \(field.title.plain)\(hint): ", isSecret: field.isSecret) else { return nil }
      if let value = field.value(of: typed) { members.append((field.name, value)) }
    }
    return .object(members)
  }

  /// - Throws: what there is no going on from.
  private func explanation(of error: UsherError) throws -> String {
    guard case .refused(let problem) = error, problem.status != 404, problem.status != 410 else { throw error }
    if problem.kind == "stale-revision" { return "The session has moved on. This is where it is now." }
    return problem.detail
  }

  private func show(_ view: View, _ notice: String?) {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    // Clears the screen.
    if isTerminal { print("\u{1B}[2J\u{1B}[H", terminator: "") }
    if let notice { print("* \(notice.plain)\n") }
    for line in view.lines { print(isTerminal ? Self.styled(line) : line.text) }
    print("")
  }

  /// Bold titles, and dim what cannot be done (ECMA-48, section 8.3.117).
  private static func styled(_ line: TextLine) -> String {
    switch line.role {
    case .plain: line.text
    case .title: "\u{1B}[1m\(line.text)\u{1B}[0m"
    case .unavailable: "\u{1B}[2m\(line.text)\u{1B}[0m"
    }
  }

  private func ask(_ question: String, isSecret: Bool = false) -> String? {
    func answer() -> String? {
      print(question, terminator: "")
      fflush(nil)
      return readLine()
    }
    return isSecret ? HiddenInput.during(answer) : answer()
  }
}
