internal import Navigation

struct ShowBackground: Action {
  static let name = "background"
  static let title: Text = "Work in the background"
}

struct Background: Screen {
  static let name = "background"
  static let title: Title<Self> = "Background"
  static let actions: [any Action.Type] = [Work.self, Remind.self]
  var reminders = 0
  var content: [Block] { [.facts([.init("Reminders", "\(reminders)")])] }
}

/// Asks for work that takes a while.
struct Work: Action {
  static let name = "work"
  static let title: Text = "Work"
  @Field("Seconds", in: 0...20) var seconds: Int
  @Field("Fails", description: "The work ends with an error.") var fails: Bool
}

/// Work that takes a while, instead of a call to a backend.
struct LongWork: Effect {
  struct Failed: Error {}

  static let name = "long-work"
  static let policy = EffectPolicy(timeout: .seconds(30))
  var seconds: Int
  var fails: Bool

  func run(_ context: EffectContext<Self>) async throws -> Int {
    try await Task.sleep(for: .seconds(seconds))
    if fails { throw Failed() }
    return seconds
  }
}

struct Working: Screen {
  static let name = "working"
  static let title: Title<Self> = "Working"
  var seconds: Int
  var content: [Block] { [.text("This takes \(seconds) seconds. The screen changes by itself.")] }
}

struct Worked: Screen {
  static let name = "worked"
  static let title: Title<Self> = "Worked"
  var outcome: String
  var hasFailed = false
  var content: [Block] { [.notice("\(outcome)", tone: hasFailed ? .error : .success)] }
}

/// Asks for a reminder.
struct Remind: Action {
  static let name = "remind"
  static let title: Text = "Remind me"
  @Field("Seconds", in: 0...3600) var seconds: Int
}

struct Reminder: TimedEvent { static let name = "reminder" }
