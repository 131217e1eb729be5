import Foundation
import UsherClient
import Values

/// A person at a terminal: shows each screen, and does what is typed.
struct Terminal {
  private let service: UsherService
  /// Of a session that has begun.
  private let address: String?
  private let app: String?

  init(_ url: URL, app: String?) {
    var base = URLComponents()
    (base.scheme, base.host, base.port) = (url.scheme, url.host, url.port)
    service = UsherService(base.url ?? url)
    address = url.path.hasPrefix("/v1/sessions/") ? url.path : nil
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
        print("\nThe session goes on at \(service.base.absoluteString)\(session.address)")
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
        notice = try explanation(of: error, on: view)
      }
    }
  }

  private func open() async throws -> UsherSession? {
    if let address { return try await service.resume(address) }
    if let app { return try await service.start(app) }
    let apps = try await service.apps()
    for (number, app) in apps.enumerated() { print("  \(number + 1)  \(app.title)") }
    guard let number = ask("Which app? ").flatMap({ Int($0) }), apps.indices.contains(number - 1) else { return nil }
    return try await service.start(apps[number - 1].name)
  }

  private func go(_ choice: TextChoice, _ session: UsherSession) async throws {
    switch choice.kind {
    case .back: try await session.back()
    case .dismiss: try await session.dismiss()
    case .tab(let name): try await session.select(tab: name)
    case .action(let action): try await session.act(action.name, input(of: action))
    }
  }

  private func input(of action: Action) -> Value {
    .object(
      action.input.fields.compactMap { field in
        if let description = field.description { print("    \(description)") }
        for (number, choice) in (field.choices ?? []).enumerated() { print("    \(number + 1)  \(choice.title)") }
        let hint = field.kind == .boolean ? " (yes or no)" : field.isRequired ? "" : " (optional)"
        return ask("  \(field.title)\(hint): ").flatMap { field.value(of: $0) }.map { (field.name, $0) }
      })
  }

  /// - Throws: what there is no going on from.
  private func explanation(of error: UsherError, on view: View) throws -> String {
    guard case .refused(let problem) = error, problem.status != 404, problem.status != 410 else { throw error }
    if problem.kind == "stale-revision" { return "The session has moved on. This is where it is now." }
    guard !problem.failures.isEmpty else { return problem.detail }
    let fields = (view.prompt?.actions ?? view.actions).flatMap(\.input.fields)
    return problem.failures.map { failure in
      // The service speaks of a field by its name on the wire.
      let title = fields.first { $0.name == failure.field }?.title ?? failure.field
      return failure.detail.replacing(failure.field, with: title, maxReplacements: 1)
    }.joined(separator: " ")
  }

  private func show(_ view: View, _ notice: String?) {
    // Only a terminal takes this: it clears the screen.
    if isatty(STDOUT_FILENO) == 1 { print("\u{1B}[2J\u{1B}[H", terminator: "") }
    if let notice { print("* \(notice)\n") }
    print(view.text)
  }

  private func ask(_ question: String) -> String? {
    print(question, terminator: "")
    fflush(nil)
    return readLine()
  }
}
