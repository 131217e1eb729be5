internal import Values

/// The resolved answers of a coordinator. The value of the coordinator keeps them, because a step needs them several
/// times: its handler, the arrangement of the pages and the drawing of the page.
final class ResolvedJourney: Sendable {
  fileprivate let questions: JourneyQuestions
  let given: GivenAnswers
  let resolution: JourneyResolution
  /// The encoding of the coordinator with the answers that count.
  let coordinator: Value
  // The facts of the session that the code of a journey reads.
  private let locale: String?
  private let principal: SessionPrincipal?
  private let today: CalendarDate

  fileprivate init(
    _ journey: JourneyDefinition, _ given: GivenAnswers, _ resolution: JourneyResolution, _ coordinator: Value,
    _ environment: SessionEnvironment
  ) {
    (questions, self.resolution, self.coordinator) = (journey.questions, resolution, coordinator)
    self.given = given.withDefaults(of: resolution)
    (locale, principal, today) = (environment.locale, environment.principal, environment.today)
  }

  /// Whether the resolution applies in an environment, with the same facts that the code of a journey reads.
  fileprivate func holds(in environment: SessionEnvironment) -> Bool {
    locale == environment.locale && principal == environment.principal && today == environment.today
  }
}

extension JourneyDefinition {
  /// Returns the answers of a coordinator as people have given them.
  func given(in state: AppValue) -> GivenAnswers {
    if let known = state.resolvedJourney, known.questions === questions { return known.given }
    return GivenAnswers(self, of: state.encoding)
  }

  /// Resolves answers in a coordinator.
  func resolution(
    of given: GivenAnswers, in state: AppValue, _ environment: SessionEnvironment
  ) throws -> JourneyResolution {
    if let known = known(state, environment), known.given == given { return known.resolution }
    return try JourneyResolution(self, given, in: state.encoding, environment)
  }

  /// Resolves the answers of a coordinator.
  func resolved(_ state: AppValue, _ environment: SessionEnvironment) throws -> ResolvedJourney {
    if let known = known(state, environment) { return known }
    let given = given(in: state)
    let resolution = try JourneyResolution(self, given, in: state.encoding, environment)
    return ResolvedJourney(
      self, given, resolution, given.stored(in: state.encoding, resolution), environment)
  }

  /// Stores resolved answers in their coordinator.
  func store(
    _ given: GivenAnswers, _ resolution: JourneyResolution, in state: inout AppValue, _ environment: SessionEnvironment
  ) {
    if let known = known(state, environment), known.given == given { return }
    let stored = given.stored(in: state.encoding, resolution)
    if stored != state.encoding { state = AppValue(encoding: stored) }
    state.keep(ResolvedJourney(self, given, resolution, stored, environment))
  }

  private func known(_ state: AppValue, _ environment: SessionEnvironment) -> ResolvedJourney? {
    guard let known = state.resolvedJourney, known.questions === questions, known.holds(in: environment)
    else { return nil }
    assert(known.given == GivenAnswers(self, of: state.encoding), "The encoding has other answers.")
    return known
  }
}
