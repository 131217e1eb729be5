import Navigation
import Synchronization
import Values

/// An app whose sessions are saved: it sends letters with addresses that resume them.
enum LetterDesk {
  static func app(_ letters: Letters) -> App {
    App("letter-desk", title: "Letter desk", services: letters) { LetterDeskCoordinator() }
  }
}

/// The letters that have been sent.
final class Letters: Sendable {
  private let sent = Mutex<[String]>([])

  var paths: [String] { sent.withLock(\.self) }

  func send(_ address: String) { sent.withLock { $0.append(address) } }
}

struct LetterDeskCoordinator: Coordinator {
  typealias Services = Letters
  static let name = "letter-desk"
  var text = ""
  var echo = ""

  func start(_ nav: inout Navigator<Self>) { nav.push(Desk()) }

  static let wiring = Wiring<Self>()
    .shows(Desk.self) { me, screen in (screen.text, screen.echo) = (me.text, me.echo) }
    .performs(
      SendLetter.self, done: { me, echo, _ in me.echo = echo },
      failed: { me, failure, _ in me.echo = "\(failure.detail) \(failure.body?["address"]?.text ?? "")" }
    )
    .performs(detached: SendLetter.self)
    .performs(SendUndeclared.self, done: { _, _, _ in }, failed: { me, failure, _ in me.echo = failure.detail })
    .on(WriteText.self) { me, action, _ in me.text = action.text }
    .on(SaveForm.self) { _, action, nav in
      let letter = SendLetter(minutes: action.minutes, isRepeatable: action.isRepeatable ?? false, echo: action.echo)
      if action.isDetached ?? false { nav.perform(detached: letter) } else { nav.perform(letter) }
    }
    .on(SendWrong.self) { _, _, nav in nav.perform(SendUndeclared()) }
    .on(RevokeAll.self) { _, _, nav in nav.revokeResumeAddresses() }
    .on(Complete.self) { _, _, nav in nav.finish(Nothing()) }
}

struct Desk: Screen {
  static let name = "desk"
  static let title: Title<Self> = "Desk"
  static let actions: [any Action.Type] = [
    WriteText.self, SaveForm.self, SendWrong.self, RevokeAll.self, Complete.self,
  ]
  var text = ""
  var echo = ""
}

struct SendLetter: Effect {
  typealias Services = Letters
  static let name = "send-letter"
  static let policy = EffectPolicy(timeout: .seconds(20), attempts: 3, pause: .milliseconds(1))
  static let givesResumeAddresses = true
  var minutes: Int?
  var isRepeatable = false
  var echo: String?

  func run(_ context: EffectContext<Self>) async throws -> String {
    let address = try await context.resumeAddress(for: minutes.map { .seconds($0 * 60) }, repeatable: isRepeatable)
    context.services.send(address)
    switch echo {
    case "output": return "see \(address)"
    case "failure":
      throw EffectFailure(.status, detail: "\(address) is bad.", status: 400, body: ["address": Value(address)])
    case "retry" where context.attempt == 1: throw Retry("The post is closed.")
    default: return "sent"
    }
  }
}

struct SendUndeclared: Effect {
  typealias Services = Letters
  static let name = "send-undeclared"

  func run(_ context: EffectContext<Self>) async throws -> Nothing {
    context.services.send(try await context.resumeAddress())
    return Nothing()
  }
}

struct WriteText: Action {
  static let name = "write"
  static let title: Text = "Write"
  @Field("Text") var text: String
}

struct SaveForm: Action {
  static let name = "save"
  static let title: Text = "Save"
  @Field("Minutes") var minutes: Int?
  @Field("Repeatable") var isRepeatable: Bool?
  @Field("Detached") var isDetached: Bool?
  @Field("Echo") var echo: String?
}

struct SendWrong: Action {
  static let name = "send-wrong"
  static let title: Text = "Send the undeclared letter"
}

struct RevokeAll: Action {
  static let name = "revoke"
  static let title: Text = "Revoke"
}

struct Complete: Action {
  static let name = "complete"
  static let title: Text = "Complete"
}
