internal import Values

// Answers to any number of questions in one request.
extension JourneyDefinition {
  /// The maximum number of failures about members that are not questions.
  private static let unknownLimit = 100

  /// Takes all answers of an object, and shows the first page that lacks one, or else the check page.
  ///
  /// Fewer items than a list requires are no failure, because people can add others. Null takes an answer away.
  ///
  /// - Throws: ``RefusedAnswers`` with the failures of all answers, if there is one. No answer is taken then.
  func take(_ input: Value, _ state: inout AppValue, _ environment: SessionEnvironment) throws -> [Command] {
    let base = given(in: state)
    var steps = Pattern.stepLimit
    let answers = questions.compactMap { question in
      input[question.name].map { (name: question.name, value: question.stored($0, &steps)) }
    }
    var given = base
    given.take(answers, in: environment)
    let resolution = try resolution(of: given, in: state, environment)
    var failures = questions.flatMap { question in
      input[question.name].map { resolution.failures(of: question, $0) } ?? []
    }
    let names = Set(questions.map(\.name))
    failures += input.members.unknown(to: names).prefix(Self.unknownLimit).map { .unknown($0, in: "") }
    if !failures.isEmpty { throw RefusedAnswers(failures) }
    return try take(answers, base, given, resolution, &state, environment)
  }
}

extension JourneyResolution {
  /// Returns the failures of an answer as it was given.
  fileprivate func failures(of question: JourneyQuestion, _ given: Value) -> [InvalidInput.Failure] {
    if given.isNull { return [] }
    let path = "/\(question.name)"
    guard isAsked(question.name) else {
      return [.init(pointer: path, title: question.label, fault: .notAsked)]
    }
    let refused = refused[question.name] ?? []
    guard case .list(let list) = question.subject else { return refused }
    guard given.kind == .array else {
      return [.init(pointer: path, title: list.label, fault: .wrongType(expected: .list))]
    }
    let names = Set(list.questions.map(\.name))
    var (others, noObjects) = ([InvalidInput.Failure](), [String]())
    for (index, item) in given.elements.prefix(list.maximumCount).enumerated() {
      let path = "\(path)/\(index)"
      guard item.kind == .map else {
        noObjects.append(path)
        others.append(.init(pointer: path, title: nil, fault: .noObject))
        continue
      }
      others += item.members.unknown(to: names).prefix(JourneyList.unknownLimit).map { .unknown($0, in: path) }
      guard let asked = asked(ofItem: index, of: list) else { continue }
      others += list.questions.filter { !asked.contains($0.name) && !(item[$0.name] ?? .null).isNull }
        .map { .init(pointer: "\(path)/\($0.name)", title: $0.label, fault: .notAsked) }
    }
    return refused.filter { failure in !noObjects.contains { failure.pointer.hasPrefix("\($0)/") } } + others
  }
}

extension JourneyList {
  /// The maximum number of failures of an item about members that are not questions.
  fileprivate static let unknownLimit = 10
}

extension Value.Members {
  /// Returns the names of the members that are none of some names.
  fileprivate func unknown(to names: Set<String>) -> [String] { map(\.key).filter { !names.contains($0) } }
}
