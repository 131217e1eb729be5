internal import Foundation
internal import HTTPTransport
internal import Languages
internal import TimeZones
internal import UsherClient
internal import Views

/// The terminal client, which shows each view and performs the user's choices.
final class TerminalClient {
  private let service: UsherService
  /// The path of the URL: of a session, of a link that hands one over, or of neither.
  private let path: String
  private let app: String?
  /// The last input of an action, with which its next form begins if it was refused.
  private var draft: (action: String, input: JSONValue)?

  init(_ url: URL, token: String?, app: String?) {
    var configuration = CurlTransport.Configuration()
    configuration.usesEnvironmentProxies = true
    service = UsherService(
      URL(string: "/", relativeTo: url)?.absoluteURL ?? url, token: token, transport: CurlTransport(configuration))
    path = url.path
    self.app = app
  }

  func run() async throws {
    guard let session = try await open() else { return }
    var notice: String?
    while true {
      let view = await session.view
      show(view, notice)
      notice = nil
      if !view.session.pending.isEmpty {
        // Waits for the effects under way. If the view stays the same, the user can go on.
        let waited = try await session.refresh(waiting: 20)
        if waited.session.revision != view.session.revision { continue }
      }
      guard view.session.status == .active else { return }
      let words = view.serviceLanguage
      guard let typed = ask("> ")?.trimmingCharacters(in: .whitespaces), typed != "q" else {
        let address = "\(service.base.absoluteString.dropLast())\(session.address)"
        print("\n" + words(.terminalGoesOn, ["address": .text(address.terminalSafe)]))
        return
      }
      do {
        if typed.isEmpty {
          try await session.refresh()
        } else if let choice = view.choices.first(where: { $0.key == typed }) {
          try await perform(choice, in: session, words)
        } else {
          notice = words(.terminalNoKey, ["key": .text(typed)])
        }
      } catch let error as UsherError {
        notice = try explanation(of: error, words)
      }
    }
  }

  private func open() async throws -> UsherSession? {
    if path.hasPrefix("/v1/sessions/") { return try await service.resume(path) }
    if path.hasPrefix("/v1/hand-overs/") { return try await service.takeOver(path) }
    // The machine may have another name than that of a zone, such as GMT+0100.
    let timeZone = NamedTimeZone(TimeZone.current.identifier)?.name
    if let app { return try await service.start(app, timeZone: timeZone) }
    let apps = try await service.apps()
    for (index, app) in apps.enumerated() { print("  \(index + 1)  \(app.title.terminalSafe)") }
    while let typed = ask("Which app? "), typed != "q" {
      if let number = Int(typed), number >= 1, number <= apps.count {
        return try await service.start(apps[number - 1].name, timeZone: timeZone)
      }
      print("Type one of the numbers, or q.")
    }
    return nil
  }

  private func perform(
    _ choice: TextChoice, in session: UsherSession, _ words: ServiceLanguage
  ) async throws {
    switch choice.kind {
    case .back: try await session.back()
    case .dismiss: try await session.dismiss()
    case .tab(let name): try await session.select(tab: name)
    case .reload(let field): try await session.reload(field)
    case .retry(let event): try await session.retry(event)
    case .item(let action): try await session.perform(action)
    case .page(let path): try await session.show(page: path)
    case .language(let tag): try await session.change(locale: tag)
    case .action(let action):
      guard let input = input(of: action, words) else { return }
      draft = (action.name, input)
      try await session.act(action.name, input)
      draft = nil
    }
  }

  /// Asks for the input of an action. Returns nil at the end of the input.
  private func input(of action: Action, _ words: ServiceLanguage) -> JSONValue? {
    var members: [JSONValue.Member] = []
    let known = draft.flatMap { $0.action == action.name ? $0.input : nil }
    for field in action.input.fields where field.isAsked(after: .object(members)) {
      if let description = field.description { print("    \(description.terminalSafe)") }
      let hasNumbers = field.hasNumberedChoices
      for (index, choice) in (field.choices ?? []).enumerated() {
        let hint = choice.hint.map { " – \($0.terminalSafe)" } ?? ""
        print("    \(hasNumbers ? "\(index + 1)" : "-")  \(choice.title.terminalSafe)\(hint)")
      }
      var hint = ""
      if field.kind == .boolean, field.choices == nil {
        hint = " " + words(.terminalYesOrNo)
      } else if !field.isRequired, known?[field.name] == nil, field.initial == nil {
        hint = " " + words(.pageOptional)
      }
      if field.kind == .array { hint += " " + words(.terminalSeveral) }
      if let unit = field.unit { hint += " (\(unit.terminalSafe))" }
      let initial = field.isSecret ? nil : known?[field.name] ?? field.initial
      if let text = initial.flatMap({ field.text(of: $0, in: words) }), !text.isEmpty {
        hint += " [\(text.terminalSafe)]"
      }
      guard let typed = ask("  \(field.title.terminalSafe)\(hint): ", isSecret: field.isSecret) else { return nil }
      // A space empties a field that begins with a value.
      let given = field.value(of: typed, in: words)
      let value = typed.isEmpty ? initial ?? given : typed == " " ? field.emptied : given
      if let value { members.append(JSONValue.Member(field.name, value)) }
    }
    return .object(members)
  }

  /// Explains an error that the user can correct. Throws any other error.
  private func explanation(of error: UsherError, _ words: ServiceLanguage) throws -> String {
    guard case .refused(let problem) = error, problem.status != 404, problem.status != 410 else { throw error }
    if problem.kind == "stale-revision" { return words(.sessionMovedOn) }
    return problem.detail
  }

  private func show(_ view: SessionView, _ notice: String?) {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    // Clears the terminal.
    if isTerminal { print("\u{1B}[2J\u{1B}[H", terminator: "") }
    if let notice { print("* \(notice.terminalSafe)\n") }
    for line in view.lines { print(isTerminal ? Self.styled(line) : line.text) }
    print("")
  }

  /// Returns the line with bold titles and dim disabled actions (ECMA-48, section 8.3.117).
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

/// Input that the terminal does not show.
enum HiddenInput {
  /// The terminal's attributes to restore. Only the reading thread writes them, before it installs the signal handlers
  /// that read them.
  nonisolated(unsafe) private static var original = termios()

  /// Hides the input while `ask` runs. Has no effect unless the input is a terminal.
  static func during<Answer>(_ ask: () -> Answer) -> Answer {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { return ask() }
    var hidden = original
    hidden.c_lflag &= ~tcflag_t(ECHO)
    // The end of the line still moves the cursor.
    hidden.c_lflag |= tcflag_t(ECHONL)
    // A signal that ends the program here must not leave the terminal without echo.
    let signals = [SIGINT, SIGTERM, SIGHUP]
    let previous = signals.map { number in
      signal(number) { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &HiddenInput.original)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSANOW, &original)
      for (number, handler) in zip(signals, previous) { signal(number, handler) }
    }
    return ask()
  }
}
