internal import Languages
internal import Values

/// The question of a page to a backend: whether the answers may count.
package struct JourneyVerification: Sendable {
  /// The title of the screen that people see until the backend has answered.
  let title: Text
  /// Makes the request. The values contain the answers of the page. The same request is sent once.
  let request: JourneyCode<Draft>

  package init(title: Text?, request: @escaping JourneyCode<Draft>) {
    (self.title, self.request) = (title ?? Text(.journeyWait), request)
  }
}

/// Answers that a backend verifies. They are not taken until it has accepted them.
struct PendingAnswers: Equatable {
  /// The name of the page that asks the backend.
  let page: String
  /// The answers of the page, and those of the pages after it that came with them.
  let answers: Value
  /// Whether people gave any number of answers at once, and not on the page.
  let isAll: Bool
  /// The key of the request.
  let key: String
  /// Whether the backend has not answered, so that people may try again.
  var hasFailed = false

  var encoding: Value {
    .object(
      [("page", Value(page)), ("answers", answers), ("key", Value(key))] + (isAll ? [("all", true)] : [])
        + (hasFailed ? [("failed", true)] : []))
  }
}

extension PendingAnswers {
  init?(_ value: Value?) {
    guard let page = value?["page"]?.text, let answers = value?["answers"], let key = value?["key"]?.text else {
      return nil
    }
    self.init(
      page: page, answers: answers, isAll: value?["all"]?.bool ?? false, key: key,
      hasFailed: value?["failed"]?.bool ?? false)
  }

  var named: [(name: String, value: Value)] { answers.members.map { ($0.key, $0.value) } }
}

// Pages that ask a backend before their answers count.
extension JourneyDefinition {
  /// Takes answers to any questions, and shows the first page that lacks one, or else the check page. Before the answers of
  /// a page that asks a backend, and those behind it, are taken, the backend verifies that page.
  func take(
    _ answers: [(name: String, value: Value)], _ base: GivenAnswers, _ state: inout AppValue,
    _ environment: SessionEnvironment
  ) throws -> [Command] {
    var given = base
    given.take(answers, in: environment)
    let resolution = try JourneyResolution(self, given, in: state.encoding, environment)
    let next = resolution.next
    if let request = resolution.request(about: next) {
      let held = Set(pages[next.page...].flatMap(\.questions).map(\.name))
      var earlier = base
      earlier.take(answers.filter { !held.contains($0.name) }, in: environment)
      return try verify(
        next.page, answers.filter { held.contains($0.name) }, isAll: true, request, earlier, &state, environment)
    }
    if next == resolution.check { given.isChecked = true }
    state = AppValue(encoding: given.stored(in: state.encoding, resolution))
    return [showing(next, resolution, leavingItems: true)]
  }

  /// Lets a backend verify the answers of a page.
  ///
  /// - Parameter given: the answers that are taken already.
  func verify(
    _ page: Int, _ answers: [(name: String, value: Value)], isAll: Bool, _ request: Draft, _ given: GivenAnswers,
    _ state: inout AppValue, _ environment: SessionEnvironment
  ) throws -> [Command] {
    let name = pages[page].name
    let key = "\(Self.verifying)\(name) \(environment.stamp.revision)"
    var given = given
    let pending = PendingAnswers(
      page: name, answers: .object(answers.map { ($0.name, $0.value) }), isAll: isAll, key: key)
    given.pending = pending
    let resolution = try resolve(given, &state, environment)
    let arrange = arranging(resolution) { way in
      let way = way.filter { !isWaiting($0) && !(isAll && isAddedItem($0)) }
      let index = way.lastIndex { step(at: $0) == JourneyStep(page: page) }
      let shown = index.map { Array(way[...$0]) } ?? way + [place(of: JourneyStep(page: page))]
      return shown + [place(of: JourneyStep(page: page, isWaiting: true))]
    }
    return [arrange] + send(request, about: pending, of: pages[page])
  }

  /// Sends the request about pending answers. Its outcome may refuse the form of the page.
  private func send(_ request: Draft, about pending: PendingAnswers, of page: JourneyPage) -> [Command] {
    let names = page.questions.map(\.name)
    let answers = names.compactMap { name -> (String, Value)? in
      pending.answers[name].flatMap { $0.isNull ? nil : (name, $0) }
    }
    return [
      .submit(screen: page.name, action: JourneyActions.continuing(page.questions), .object(answers)),
      .perform(request, key: pending.key, compensation: nil),
    ]
  }

  /// Sends the request again after a failure.
  func verifyAgain(_ state: inout AppValue, _ environment: SessionEnvironment) throws -> [Command] {
    var given = GivenAnswers(self, of: state.encoding)
    guard var pending = given.pending, let page = pages.first(where: { $0.name == pending.page }),
      let step = pages.firstIndex(where: { $0.name == pending.page })
    else { return [] }
    pending.hasFailed = false
    given.pending = pending
    var all = given
    all.take(pending.named, in: environment)
    let resolution = try JourneyResolution(self, all, in: state.encoding, environment)
    let request = resolution.request(about: JourneyStep(page: step))
    _ = try resolve(given, &state, environment)
    return request.map { send($0, about: pending, of: page) } ?? []
  }

  /// The beginning of the keys of requests about answers.
  private static let verifying = "verify "

  /// Returns the handlers of an outcome. That of a request about answers takes them, or lets people try again.
  func verifying(
    _ done: @escaping ValueReaction,
    failed: @escaping @Sendable (inout AppValue, EffectFailure, SessionEnvironment) throws -> [Command]
  ) -> (
    done: ValueReaction, failed: @Sendable (inout AppValue, EffectFailure, SessionEnvironment) throws -> [Command]
  ) {
    let (otherDone, otherFailed) = (settled(done), settled(failed))
    return (
      { state, output, environment in
        guard isAboutAnswers(environment) else { return try otherDone(&state, output, environment) }
        return try accept(&state, environment) { try done(&$0, output, environment) }
      },
      { state, failure, environment in
        guard isAboutAnswers(environment) else { return try otherFailed(&state, failure, environment) }
        guard pending(in: state, environment) != nil else { return [] }
        let commands = try keepingAnswers(&state, environment) { try failed(&$0, failure, environment) }
        if commands.contains(where: \.endsOrRefuses) { return commands }
        var given = GivenAnswers(self, of: state.encoding)
        given.pending?.hasFailed = true
        return commands + [arranging(try resolve(given, &state, environment)) { $0 }]
      }
    )
  }

  private func isAboutAnswers(_ environment: SessionEnvironment) -> Bool {
    environment.origin?.key?.hasPrefix(Self.verifying) ?? false
  }

  /// Returns the answers that the request behind an outcome is about; nil for an outcome that comes too late.
  private func pending(in state: AppValue, _ environment: SessionEnvironment) -> PendingAnswers? {
    let pending = GivenAnswers(self, of: state.encoding).pending
    return pending?.key == environment.origin?.key ? pending : nil
  }

  /// Takes the answers that a backend has accepted, and goes on.
  ///
  /// - Parameter done: the commands of the author, which may replace the answers.
  private func accept(
    _ state: inout AppValue, _ environment: SessionEnvironment, _ done: (inout AppValue) throws -> [Command]
  ) throws -> [Command] {
    guard let pending = pending(in: state, environment),
      let page = pages.firstIndex(where: { $0.name == pending.page })
    else { return [] }
    let step = JourneyStep(page: page)
    let names = Set(pages[page].questions.map(\.name))
    var given = GivenAnswers(self, of: state.encoding)
    given.pending = nil
    given.take(pending.named.filter { names.contains($0.name) }, in: environment)
    try resolve(&given, accepting: step, &state, environment)
    let commands = try keepingAnswers(&state, environment, done)
    if commands.contains(where: \.endsOrRefuses) { return commands }
    given = GivenAnswers(self, of: state.encoding)
    let resolution = try resolve(&given, accepting: step, &state, environment)
    if pending.isAll {
      let others = pending.named.filter { !names.contains($0.name) }
      return try commands + take(others, given, &state, environment).map { ofWaiting($0) }
    }
    let next = given.isChecked ? resolution.next : resolution.step(after: step)
    if next == resolution.check {
      given.isChecked = true
      _ = try resolve(given, &state, environment)
    }
    return commands + [ofWaiting(showing(next, resolution))]
  }

  /// Resolves answers, of which a backend has accepted those of a page.
  @discardableResult
  private func resolve(
    _ given: inout GivenAnswers, accepting step: JourneyStep, _ state: inout AppValue,
    _ environment: SessionEnvironment
  ) throws -> JourneyResolution {
    let resolution = try resolve(given, &state, environment)
    guard let request = resolution.request(about: step) else { return resolution }
    given.accept(try request.encoded().encoding, about: pages[step.page].name)
    return try resolve(given, &state, environment)
  }

  /// Returns a command that moves people who still wait, and nobody else.
  private func ofWaiting(_ command: Command) -> Command {
    guard case .arrange(let way) = command else { return command }
    return .arrange(
      JourneyWay(screens: screenNames) { old in
        old.last.map(isWaiting) ?? false ? try way.arrange(old) : old
      })
  }
}
