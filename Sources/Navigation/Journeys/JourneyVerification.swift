internal import Languages
internal import Values

/// The question of a page to a backend: whether the answers may count.
package struct JourneyVerification: Sendable {
  /// The name of the effect.
  let effect: String
  /// The title of the screen that people see until the backend has answered.
  let title: Text
  /// Makes the request; nil if there is nothing to ask. The values contain the answers of the page.
  let request: JourneyCode<Draft?>

  package init(_ effect: String, title: Text?, request: @escaping JourneyCode<Draft?>) {
    (self.effect, self.title, self.request) = (effect, title ?? Text(.journeyWait), request)
  }
}

/// Answers that a backend verifies. They are not taken until it has accepted them.
struct PendingAnswers: Equatable {
  /// The name of the page that asks the backend.
  let page: String
  /// The answers of the page, and those of the pages after it that came with them.
  let answers: Value
  /// The encoded request.
  let request: Value
  /// Whether people gave any number of answers at once, and not on the page.
  let isAll: Bool
  /// The revision of the step that has made the request, for its key.
  let revision: UInt64
  /// Whether the request has ended without an answer that counts, so that people may try again.
  var hasFailed = false

  var encoding: Value {
    .object(
      [
        ("page", Value(page)), ("answers", answers), ("request", request),
        ("revision", Value(Int64(bitPattern: revision))),
      ]
        + (isAll ? [("all", true)] : [])
        + (hasFailed ? [("failed", true)] : []))
  }
}

extension PendingAnswers {
  init?(_ value: Value?) {
    guard let page = value?["page"]?.text, let answers = value?["answers"], let request = value?["request"],
      let revision = value?["revision"]?.int
    else { return nil }
    self.init(
      page: page, answers: answers, request: request, isAll: value?["all"]?.bool ?? false,
      revision: UInt64(bitPattern: revision), hasFailed: value?["failed"]?.bool ?? false)
  }

  /// Returns whether the request is the same, and still under way for the other answers.
  func isSame(as other: PendingAnswers) -> Bool {
    !other.hasFailed && page == other.page && answers == other.answers && request == other.request
      && isAll == other.isAll
  }

  var key: WorkKey { .verification(revision) }

  var named: [(name: String, value: Value)] { answers.members.map { ($0.key, $0.value) } }
}

// Pages that ask a backend before their answers count.
extension JourneyDefinition {
  /// Takes answers to any questions, and shows the first page that lacks one, or else the check page. Before the answers of
  /// a page that asks a backend, and those behind it, are taken, the backend verifies that page.
  ///
  /// - Parameters:
  ///   - base: the answers before.
  ///   - given: the answers with those to take, of which the resolution is.
  func take(
    _ answers: [(name: String, value: Value)], _ base: GivenAnswers, _ given: GivenAnswers,
    _ resolution: JourneyResolution, _ state: inout AppValue, _ environment: SessionEnvironment
  ) throws -> [Command] {
    if let next = resolution.incomplete, let request = resolution.request(about: next) {
      let held = Set(pages[next.page...].flatMap(\.questions).map(\.name))
      var earlier = base
      earlier.take(answers.filter { !held.contains($0.name) }, in: environment)
      return try verify(
        next.page, answers.filter { held.contains($0.name) }, isAll: true, request, replacing: base.pending, earlier,
        &state, environment)
    }
    return [goOn(after: nil, given, resolution, &state, environment, leavingItems: true)]
  }

  /// Lets a backend verify the answers of a page, in place of a request that people have waited for before. A request
  /// with the same content keeps its key, so that the backend recognizes the repetition. The journey sends it again,
  /// because its outcome may refuse the form, which has to be the one that people have sent last.
  ///
  /// - Parameters:
  ///   - before: the answers that people have waited for before.
  ///   - given: the answers that are taken already.
  func verify(
    _ page: Int, _ answers: [(name: String, value: Value)], isAll: Bool, _ request: Draft,
    replacing before: PendingAnswers?, _ given: GivenAnswers, _ state: inout AppValue,
    _ environment: SessionEnvironment
  ) throws -> [Command] {
    let (name, encoded) = (pages[page].name, try request.encoded().encoding)
    var pending = PendingAnswers(
      page: name, answers: .object(answers.map { ($0.name, $0.value) }), request: encoded, isAll: isAll,
      revision: environment.stamp.revision)
    if let before, pending.isSame(as: before) { pending = before }
    var given = given
    given.pending = pending
    let resolution = try resolve(given, &state, environment)
    let arrange = arranging(resolution) { old in
      way(old, to: JourneyStep(page: page), leavingItems: isAll)
        + [place(of: JourneyStep(page: page, isWaiting: true))]
    }
    let cancel = before.flatMap { before in
      pages.first { $0.name == before.page }?.verification.map { .cancel(.effect, $0.effect, key: before.key) }
        as Command?
    }
    return [arrange] + (cancel.map { [$0] } ?? []) + send(request, about: pending, of: pages[page])
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

  /// Sends the request again after a failure. Answers that have become invalid since are shown again.
  func verifyAgain(_ state: inout AppValue, _ environment: SessionEnvironment) throws -> [Command] {
    var given = given(in: state)
    guard var pending = given.pending, let page = pages.firstIndex(where: { $0.name == pending.page }) else {
      return []
    }
    var all = given
    all.take(pending.named, in: environment)
    let request = try resolution(of: all, in: state, environment).request(
      about: JourneyStep(page: page))
    guard let request else {
      return [showing(JourneyStep(page: page), try resolve(given, &state, environment))]
    }
    guard try request.encoded().encoding == pending.request else {
      return try verify(
        page, pending.named, isAll: pending.isAll, request, replacing: pending, given, &state, environment)
    }
    pending.hasFailed = false
    given.pending = pending
    _ = try resolve(given, &state, environment)
    return send(request, about: pending, of: pages[page])
  }

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
        guard let (pending, page) = try awaited(in: &state, environment) else { return [] }
        return try accept(pending, page, &state, environment) { try done(&$0, output, environment) }
      },
      { state, failure, environment in
        guard isAboutAnswers(environment) else { return try otherFailed(&state, failure, environment) }
        guard try awaited(in: &state, environment) != nil else { return [] }
        let commands = try keepingAnswers(&state, environment) { try failed(&$0, failure, environment) }
        if commands.contains(where: \.endsOrRefuses) { return commands }
        var given = given(in: state)
        given.pending?.hasFailed = true
        return commands + [arranging(try resolve(given, &state, environment)) { $0 }]
      }
    )
  }

  private func isAboutAnswers(_ environment: SessionEnvironment) -> Bool {
    if case .verification = environment.origin?.key { true } else { false }
  }

  /// Returns the answers that the request behind an outcome is about, and the index of their page; nil for an outcome for
  /// which nobody waits any more. Answers that people have left are not taken later: they may have sent others since.
  private func awaited(
    in state: inout AppValue, _ environment: SessionEnvironment
  ) throws -> (pending: PendingAnswers, page: Int)? {
    var given = given(in: state)
    guard let origin = environment.origin, let pending = given.pending, pending.key == origin.key,
      let page = pages.firstIndex(where: { $0.name == pending.page })
    else { return nil }
    if origin.screens.contains(pages[page].waitScreenName) { return (pending, page) }
    // The page keeps the typed values, and asks again.
    given.pending?.hasFailed = true
    _ = try resolve(given, &state, environment)
    return nil
  }

  /// Takes the answers that a backend has accepted, and goes on.
  ///
  /// - Parameter done: the commands of the author, which may replace the answers.
  private func accept(
    _ pending: PendingAnswers, _ page: Int, _ state: inout AppValue, _ environment: SessionEnvironment,
    _ done: (inout AppValue) throws -> [Command]
  ) throws -> [Command] {
    let step = JourneyStep(page: page)
    let names = Set(pages[page].questions.map(\.name))
    let base = given(in: state)
    var given = base
    given.take(pending.named.filter { names.contains($0.name) }, in: environment)
    let request = try resolution(of: given, in: state, environment).request(about: step)
    if let request, try request.encoded().encoding != pending.request {
      // Other answers that the request reads have changed meanwhile.
      return try verify(
        page, pending.named, isAll: pending.isAll, request, replacing: pending, base, &state, environment)
    }
    try resolve(&given, accepting: step, &state, environment)
    let commands = try keepingAnswers(&state, environment, done)
    if commands.contains(where: \.endsOrRefuses) { return commands }
    given = self.given(in: state)
    let resolution = try resolve(&given, accepting: step, &state, environment)
    if resolution.steps.contains(where: { $0.step == step && resolution.lacksAnswer($0) }) {
      return commands + [ofWaiting(showing(step, resolution))]
    }
    if pending.isAll {
      let others = pending.named.filter { !names.contains($0.name) }
      var all = given
      all.take(others, in: environment)
      let resolution = try self.resolution(of: all, in: state, environment)
      return try commands + take(others, given, all, resolution, &state, environment).map { ofWaiting($0) }
    }
    return commands + [ofWaiting(goOn(after: step, given, resolution, &state, environment))]
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

  /// Returns a command that moves people who still wait: the commands of the outcome may have left the journey.
  private func ofWaiting(_ command: Command) -> Command {
    guard case .arrange(let way) = command else { return command }
    return .arrange(
      JourneyWay(screens: way.screens, check: way.check, pagesWithoutQuestions: way.pagesWithoutQuestions) { old in
        old.last.map(isWaiting) ?? false ? try way.arrange(old) : old
      })
  }
}
