internal import Values

// Answers to any number of questions in one request.
extension JourneyDefinition {
  /// Takes all answers of an object, and shows the first page that lacks one, or else the check page.
  ///
  /// Fewer items than a list requires are no failure, because people can add others. Null takes an answer away.
  ///
  /// - Throws: ``RefusedAnswers`` with the failures of all answers, if there is one. No answer is taken then.
  func take(_ input: Value, _ state: inout AppValue, _ environment: SessionEnvironment) throws -> [Command] {
    var given = GivenAnswers(self, of: state.encoding)
    let questions = questions
    var malformed: [String: [InvalidInput.Failure]] = [:]
    var taken: [(name: String, value: Value)] = []
    for question in questions {
      guard let value = input[question.name] else { continue }
      let failures = question.shapeFailures(of: value)
      taken.append((question.name, failures.isEmpty ? question.stored(value) : .null))
      malformed[question.name] = failures
    }
    given.take(taken, in: environment)
    let resolution = try JourneyResolution(self, given, in: state.encoding, environment)
    let failures =
      questions.flatMap { question -> [InvalidInput.Failure] in
        guard let value = input[question.name], !value.isNull else { return [] }
        guard resolution.asked.contains(question.name) else {
          return [.init(pointer: "/\(question.name)", title: question.label, fault: .notAsked)]
        }
        let malformed = malformed[question.name] ?? []
        return malformed.isEmpty ? resolution.failures(of: question, value) : malformed
      }
      + input.members.filter { member in !questions.contains { $0.name == member.key } }
      .map { .unknown($0.key, in: "") }
    if !failures.isEmpty { throw RefusedAnswers(failures) }
    let next = resolution.next
    if next == resolution.check { given.isChecked = true }
    state = AppValue(encoding: given.stored(in: state.encoding, resolution))
    return [showing(next, resolution, leavingItems: true)]
  }
}

extension JourneyQuestion {
  /// Returns the failures of an answer that is not resolved, because it has another shape than the question.
  fileprivate func shapeFailures(of value: Value) -> [InvalidInput.Failure] {
    guard case .list(let list) = subject, !value.isNull else { return [] }
    guard value.kind == .array else {
      return [.init(pointer: "/\(list.name)", title: list.label, fault: .wrongType(expected: .list))]
    }
    let items = value.elements.map { $0 }
    guard items.count <= list.maximumCount else { return [list.failure(.maximumItems(list.maximumCount))] }
    let names = Set(list.questions.map(\.name))
    return items.enumerated().flatMap { index, item -> [InvalidInput.Failure] in
      let path = "/\(list.name)/\(index)"
      guard item.kind == .map else { return [.init(pointer: path, title: nil, fault: .noObject)] }
      return item.members.filter { !names.contains($0.key) }.map { .unknown($0.key, in: path) }
    }
  }
}

extension JourneyResolution {
  /// Returns the failures of the answer that was given to an asked question.
  fileprivate func failures(of question: JourneyQuestion, _ given: Value) -> [InvalidInput.Failure] {
    guard case .list(let list) = question.subject else { return refused[question.name] ?? [] }
    let notAsked = given.elements.enumerated().flatMap { index, item -> [InvalidInput.Failure] in
      guard let asked = asked(ofItem: index, of: list) else { return [] }
      return list.questions.filter { !asked.contains($0.name) && !(item[$0.name] ?? .null).isNull }
        .map { .init(pointer: "/\(list.name)/\(index)/\($0.name)", title: $0.label, fault: .notAsked) }
    }
    return (refused[question.name] ?? []) + notAsked
  }
}
