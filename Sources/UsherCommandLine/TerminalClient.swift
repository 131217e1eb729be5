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
  /// The name of the executable.
  private let program: String
  /// The language of the user, as a tag (BCP 47); nil for that of the app.
  private let locale = LanguageTag.ofEnvironment(ProcessInfo.processInfo.environment)
  private let keyboard = Keyboard()
  private var draft: Draft?
  /// The last drawing; nil if the output is no terminal.
  private var drawing: Drawing?

  /// The last input of an action, with which its next form begins if it was refused.
  private struct Draft {
    /// The name of the screen.
    let screen: String
    let action: String
    let input: JSONValue
    /// The reasons of the refusal.
    var failures: [(field: String, detail: String)] = []
  }

  private struct Drawing {
    let size: TerminalSize
    /// The number of rows above the line of the prompt.
    let rows: Int
  }

  /// The session has another revision than the view from which the user chose.
  private struct SessionMovedOn: Error {}

  private struct UnknownApp: Error, CustomStringConvertible {
    let description: String
  }

  init(_ url: URL, token: String?, app: String?, program: String) {
    var configuration = CurlTransport.Configuration()
    configuration.usesEnvironmentProxies = true
    service = UsherService(
      URL(string: "/", relativeTo: url)?.absoluteURL ?? url, token: token, transport: CurlTransport(configuration))
    path = url.path
    self.app = app
    self.program = program
  }

  func run() async throws {
    guard let session = try await open() else { return }
    // A script does not follow the session: its next line belongs to a certain screen.
    let following: Task<Void, any Error>? = keyboard.isTerminal ? Task { for try await _ in session.follow() {} } : nil
    defer { following?.cancel() }
    Interruption.say(await farewell(session))
    do {
      try await converse(in: session)
    } catch UsherError.refused(let problem) where ["session-expired", "unknown-session"].contains(problem.kind) {
      throw UsherError.refused(problem)
    } catch {
      print("\n" + (await farewell(session)))
      throw error
    }
  }

  /// A sentence and, on a line of its own to copy, the command that resumes the session.
  private func farewell(_ session: UsherSession) async -> String {
    let address = "\(service.base.absoluteString.dropLast())\(session.address)".terminalSafe
    let words = await session.view.serviceLanguage
    return "\(words(.terminalGoesOn))\n  \(program) play \(address)"
  }

  /// Shows the session and performs choices, until the session finishes or the user leaves.
  private func converse(in session: UsherSession) async throws {
    var notices: [String] = []
    var warned = ""
    // Whether the user may have begun a line.
    var hasPrompt = false
    while true {
      let view = await session.view
      if view.isEnding(at: Date()), warned != view.session.expiresAt {
        warned = view.session.expiresAt
        notices.append(view.serviceLanguage(.terminalEnding, ["until": .text(view.session.expiresAt.clockTime)]))
      }
      let isActive = view.session.status == .active
      let rows = hasPrompt && isActive && drawing?.size == size ? drawing?.rows : nil
      // The terminal will no longer show the beginning of a line.
      if hasPrompt, rows == nil { keyboard.discard() }
      show(view, notices, inPlaceOf: rows)
      if !keyboard.isTerminal, !view.session.pending.isEmpty {
        // Waits for the effects under way. If the view stays the same, the script can go on.
        let waited = try await session.refresh(waiting: 20)
        if waited.session.revision != view.session.revision { continue }
      }
      guard isActive else { return }
      if rows == nil { write("> ", terminator: "") }
      hasPrompt = false
      let line: String
      switch try await reply(in: session, showing: view.session.revision, unless: warned) {
      case .changed:
        hasPrompt = true
        continue
      case .end: return print("\n" + (await farewell(session)))
      case .line(let typed): line = typed.trimmingCharacters(in: .whitespaces)
      }
      if line == "q" { return print("\n" + (await farewell(session))) }
      notices = []
      let words = view.serviceLanguage
      do {
        if line.isEmpty {
          try await session.refresh()
        } else if let choice = view.choices.first(where: { $0.key == line }) {
          try await perform(choice, of: view, in: session)
        } else {
          notices = [words(.terminalNoKey, ["key": .text(line)])]
        }
      } catch is SessionMovedOn {
        notices = [words(.sessionMovedOn)]
      } catch let error as UsherError {
        notices = try explanation(of: error, words)
      }
    }
  }

  private func open() async throws -> UsherSession? {
    if path.hasPrefix("/v1/sessions/") { return try await service.resume(path) }
    if path.hasPrefix("/v1/hand-overs/") { return try await service.takeOver(path) }
    if let app { return try await start(app) }
    let words = ServiceLanguage.of(locale)
    let apps = try await service.apps(locale: locale)
    for (index, app) in apps.enumerated() { write("  \(index + 1)  \(app.title.terminalSafe)", indentation: 5) }
    while let typed = try await ask(words(.terminalWhichApp) + " "), typed != "q" {
      if let number = Int(typed), number >= 1, number <= apps.count { return try await start(apps[number - 1].name) }
      if let app = apps.first(where: { $0.name == typed }) { return try await start(app.name) }
      write(words(.terminalTypeNumber))
    }
    return nil
  }

  private func start(_ app: String) async throws -> UsherSession {
    // The machine may have another name than that of a zone, such as GMT+0100.
    let timeZone = NamedTimeZone(TimeZone.current.identifier)?.name
    do {
      return try await service.start(app, locale: locale, timeZone: timeZone)
    } catch UsherError.refused(let problem) where problem.kind == "unknown-app" {
      let names = try await service.apps().map { $0.name }.joined(separator: ", ")
      throw UnknownApp(description: "\(problem.detail) The apps are: \(names).")
    }
  }

  private func perform(_ choice: TextChoice, of view: SessionView, in session: UsherSession) async throws {
    guard await session.view.session.revision == view.session.revision else { throw SessionMovedOn() }
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
      guard let typed = try await input(of: action, in: view) else { return }
      draft = Draft(screen: view.screen.name, action: action.name, input: typed)
      // The session may have moved on while the user typed.
      try await session.perform(action, typed)
    }
    // The next screen may have an action of the same name.
    draft = nil
  }

  /// Asks for the input of an action. Returns nil at the end of the input, with which people leave a form.
  private func input(of action: Action, in view: SessionView) async throws -> JSONValue? {
    let words = view.serviceLanguage
    var members: [JSONValue.Member] = []
    let draft = draft.flatMap { $0.screen == view.screen.name && $0.action == action.name ? $0 : nil }
    if keyboard.isTerminal, !action.input.fields.isEmpty { write("  " + words(.terminalLeaveForm), indentation: 2) }
    for field in action.input.fields where field.isAsked(after: .object(members)) {
      let refusals = (draft?.failures ?? []).filter { $0.field.split(separator: "/").first == field.name[...] }
      let errors = refusals.map { $0.detail } + action.errors.filter { $0.field == field.name }.map { $0.detail }
      for error in errors { write("    * \(error.terminalSafe)", indentation: 6) }
      if let hint = field.hint(in: words) { write("    \(hint.terminalSafe)", indentation: 4) }
      let hasNumbers = field.hasNumberedChoices
      for (index, choice) in (field.choices ?? []).enumerated() {
        let hint = choice.hint.map { " – \($0.terminalSafe)" } ?? ""
        write("    \(hasNumbers ? "\(index + 1)" : "-")  \(choice.title.terminalSafe)\(hint)", indentation: 7)
      }
      let known = draft?.input[field.name].flatMap { field.mayBegin(with: $0) ? $0 : nil }
      let initial = field.isSecret ? nil : known ?? field.initial
      let text = initial.flatMap { field.text(of: $0, in: words) } ?? ""
      let asksYesOrNo = field.kind == .boolean && field.choices == nil
      var question = "  \(field.title.terminalSafe)"
      if asksYesOrNo {
        question += " " + words(.terminalYesOrNo)
      } else if !field.isRequired, text.isEmpty {
        question += " " + words(.pageOptional)
      }
      if field.kind == .array { question += " " + words(.terminalSeveral) }
      if let unit = field.unit { question += " (\(unit.terminalSafe))" }
      if !text.isEmpty { question += " [\(text.terminalSafe)]" }
      var value: JSONValue?
      repeat {
        if value != nil { write("    * " + words(.terminalAnswerYesOrNo), indentation: 6) }
        guard let typed = try await ask(question + ": ", isSecret: field.isSecret) else { return nil }
        // A space empties a field that begins with a value.
        let given = field.value(of: typed, in: words)
        value = typed.isEmpty ? initial ?? given : typed == " " ? field.emptied : given
      } while asksYesOrNo && value?.string != nil
      if let value { members.append(JSONValue.Member(field.name, value)) }
    }
    return .object(members)
  }

  /// Explains an error that the user can correct. Throws any other error.
  private func explanation(of error: UsherError, _ words: ServiceLanguage) throws -> [String] {
    guard case .refused(let problem) = error, problem.status != 404, problem.status != 410 else { throw error }
    if problem.kind == "stale-revision" { return [words(.sessionMovedOn)] }
    draft?.failures = problem.failures
    // Several fields may have one sentence.
    var details: [String] = []
    for failure in problem.failures where !details.contains(failure.detail) { details.append(failure.detail) }
    return details.isEmpty ? [problem.detail] : details
  }
}

// MARK: The terminal
extension TerminalClient {
  /// Shows a view, and the notices below it, where a long view does not move them out of the terminal.
  ///
  /// - Parameter rows: the number of rows that the view replaces. The line below them stays, with the beginning that the
  ///   user has typed, which the terminal edits and sends as a part of the whole line. Nil to clear the terminal.
  private func show(_ view: SessionView, _ notices: [String], inPlaceOf rows: Int?) {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    let size = size
    var lines = view.lines.flatMap { line in
      (size.map { line.wrapped(to: $0.width) } ?? [line]).map { isTerminal ? Self.styled($0) : $0.text }
    }
    lines.append("")
    for notice in notices { lines += parts(of: "* \(notice.terminalSafe)", indentation: 2) }
    if !notices.isEmpty { lines.append("") }
    drawing = size.map { Drawing(size: $0, rows: min(lines.count, $0.height - 1)) }
    let text = lines.joined(separator: "\n")
    if let rows, let drawing {
      print(Self.replacement(of: rows, by: drawing.rows, text), terminator: "")
    } else {
      print(isTerminal ? "\u{1B}[2J\u{1B}[H\(text)" : text)
    }
  }

  /// Returns the commands that write a text in the place of the first rows, and move the line below with its cursor
  /// (ECMA-48, section 8.3; VT510: DECSC, DECRC and DECSTBM).
  ///
  /// - Parameter count: the number of rows that the text takes. The first lines of a longer text scroll away.
  private static func replacement(of rows: Int, by count: Int, _ text: String) -> String {
    let move = count < rows ? "\u{1B}[\(rows - count)A" : count > rows ? "\u{1B}[\(count - rows)B" : ""
    let region = "\u{1B}[\(rows)M\u{1B}[\(count)L\u{1B}[1;\(count)r\u{1B}[H"
    return "\u{1B}7\u{1B}[H\(region)\(text)\u{1B}[r\u{1B}8\(move)"
  }

  /// Returns the line with bold titles and dim disabled actions (ECMA-48, section 8.3.117).
  private static func styled(_ line: TextLine) -> String {
    switch line.role {
    case .plain, .underline: line.text
    case .title: "\u{1B}[1m\(line.text)\u{1B}[0m"
    case .unavailable: "\u{1B}[2m\(line.text)\u{1B}[0m"
    }
  }

  /// Writes a text, as lines of the width of the terminal.
  private func write(_ text: String, indentation: Int = 0, terminator: String = "\n") {
    print(parts(of: text, indentation: indentation).joined(separator: "\n"), terminator: terminator)
  }

  /// Returns a text as lines of the width of the terminal.
  private func parts(of text: String, indentation: Int) -> [String] {
    size.map { text.wrapped(to: $0.width, indentation: indentation) } ?? [text]
  }

  /// The size of the terminal; nil if the output goes elsewhere.
  private var size: TerminalSize? {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 1 else { return nil }
    return TerminalSize(width: Int(size.ws_col), height: Int(size.ws_row))
  }

  /// Asks for a line. Returns nil at the end of the input.
  private func ask(_ question: String, isSecret: Bool = false) async throws -> String? {
    if isSecret { HiddenInput.begin() }
    defer { if isSecret { HiddenInput.end() } }
    write(question, indentation: 4, terminator: "")
    guard case .line(let line) = try await reply() else { return nil }
    return line
  }

  /// Waits for a line, and meanwhile for another revision of the session than the shown one, or the time to warn of its
  /// end.
  ///
  /// - Parameter warned: the end of which the terminal has warned.
  private func reply(
    in session: UsherSession? = nil, showing revision: Int64 = 0, unless warned: String = ""
  ) async throws -> Reply {
    fflush(nil)
    while true {
      if let reply = keyboard.reply() { return reply }
      if let session {
        let view = await session.view
        if view.session.revision != revision { return .changed }
        if keyboard.isTerminal, view.session.expiresAt != warned, view.isEnding(at: Date()) { return .changed }
      }
      // A read that blocks would also stop the thread that receives changes, on a machine with one core.
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

extension SessionView {
  /// Whether it is time to warn of the end of the session.
  fileprivate func isEnding(at now: Date) -> Bool {
    session.extend.flatMap { $0.from.date }.map { $0 <= now } ?? false
  }
}

extension String {
  /// The date of a text in the format of RFC 3339.
  fileprivate var date: Date? { ISO8601DateFormatter().date(from: self) }

  /// The time of the day of such a text, on the clock of the machine, such as `14:32`.
  fileprivate var clockTime: String {
    guard let date else { return self }
    let parts = Calendar.current.dateComponents([.hour, .minute], from: date)
    let minute = parts.minute ?? 0
    return "\(parts.hour ?? 0):\(minute < 10 ? "0" : "")\(minute)"
  }
}

/// In characters.
private struct TerminalSize: Equatable {
  let width: Int
  let height: Int
}

private enum Reply {
  case line(String)
  /// The end of the input. A terminal sends it for Ctrl-D, and can go on.
  case end
  case changed
}

/// The lines of the standard input.
private final class Keyboard {
  let isTerminal = isatty(STDIN_FILENO) == 1
  private var bytes: [UInt8] = []
  /// In bytes. The rest of a longer line is dropped.
  private static let longestLine = 65_536

  /// Returns the next line, or the end of the input; nil if neither has arrived.
  func reply() -> Reply? {
    while true {
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        defer { bytes.removeSubrange(...end) }
        return Self.line(bytes[..<end])
      }
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, 0) > 0 else { return nil }
      var part = [UInt8](repeating: 0, count: 4096)
      let count = read(STDIN_FILENO, &part, part.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return nil }
      guard count > 0 else {
        defer { bytes = [] }
        return bytes.isEmpty ? .end : Self.line(bytes[...])
      }
      // Until here, the bytes have no end of a line.
      let line = part[..<count].prefix { $0 != UInt8(ascii: "\n") }
      bytes += line.prefix(max(0, Self.longestLine - bytes.count))
      bytes += part[line.endIndex..<count]
    }
  }

  /// Returns a line without the carriage return of a line from Windows.
  private static func line(_ bytes: ArraySlice<UInt8>) -> Reply {
    .line(String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self))
  }

  /// Drops what the user has typed.
  func discard() {
    bytes = []
    tcflush(STDIN_FILENO, TCIFLUSH)
  }
}

/// Input that the terminal does not show.
private enum HiddenInput {
  /// The terminal's attributes to restore. The handler of a signal reads them once they are complete.
  nonisolated(unsafe) private static var original = termios()
  nonisolated(unsafe) private static var isActive = false

  /// Has no effect unless the input is a terminal.
  static func begin() {
    guard tcgetattr(STDIN_FILENO, &original) == 0 else { return }
    isActive = true
    var hidden = original
    hidden.c_lflag &= ~tcflag_t(ECHO)
    // The end of the line still moves the cursor.
    hidden.c_lflag |= tcflag_t(ECHONL)
    tcsetattr(STDIN_FILENO, TCSADRAIN, &hidden)
  }

  static func end() {
    guard isActive else { return }
    isActive = false
    tcsetattr(STDIN_FILENO, TCSANOW, &original)
  }
}

/// The end of the program by a signal, such as that of Ctrl-C.
private enum Interruption {
  /// Never freed, because the handler of a signal may read it at any time.
  nonisolated(unsafe) private static var farewell: UnsafeMutablePointer<CChar>?

  /// Makes signals say a text, and show the input again, before they end the program.
  static func say(_ text: String) {
    farewell = strdup("\n\(text)\n")
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { number in
        HiddenInput.end()
        if let farewell = Interruption.farewell { _ = Foundation.write(STDOUT_FILENO, farewell, strlen(farewell)) }
        signal(number, SIG_DFL)
        raise(number)
      }
    }
  }
}
