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
    let base = GivenAnswers(self, of: state.encoding)
    var steps = Pattern.stepLimit
    let answers = questions.compactMap { question in
      input[question.name].map { (name: question.name, value: question.stored($0, &steps)) }
    }
    var given = base
    given.take(answers, in: environment)
    let resolution = try JourneyResolution(self, given, in: state.encoding, environment)
    var failures = questions.flatMap { question in
      input[question.name].map { resolution.failures(of: question, $0) } ?? []
    }
    let names = Set(questions.map(\.name))
    failures += input.members.unknown(to: names).prefix(Self.unknownLimit).map { .unknown($0, in: "") }
    if !failures.isEmpty {
      throw RefusedAnswers(try resolution.judged(failures, given, in: state.encoding, environment))
    }
    return try take(answers, base, given, resolution, &state, environment)
  }
}

extension JourneyResolution {
  /// Returns the failures of an answer as it was given.
  fileprivate func failures(of question: JourneyQuestion, _ given: Value) -> [InvalidInput.Failure] {
    if given.isNull { return [] }
    let path = "/\(question.name)"
    guard asked.contains(question.name) else {
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

// Answers to questions of which nobody can say whether they are asked.
extension JourneyResolution {
  /// Returns failures without those of answers that are not asked because of an answer with a failure of its own: with
  /// another answer in its place, they may be.
  fileprivate func judged(
    _ failures: [InvalidInput.Failure], _ given: GivenAnswers, in coordinator: Value, _ environment: SessionEnvironment
  ) throws -> [InvalidInput.Failure] {
    // An unknown member changes no answer.
    let refused = failures.filter { $0.fault != .notAsked && $0.fault != .unknown }
    if refused.isEmpty || failures.allSatisfy({ $0.fault != .notAsked }) { return failures }
    let values = given.stored(in: coordinator, self)
    let scope = JourneyScope(values: values, item: nil, environment: environment)
    let faulty = Set(refused.compactMap { $0.pointer.tokens.first })
    var (undecided, pointers) = (Set<String>(), Set<String>())
    var isEndUndecided = false
    for page in journey.pages {
      let isUndecided = try isEndUndecided || scope.depends(on: undecided, page.condition)
      if case .exit = page.kind { isEndUndecided = isUndecided }
      for question in page.questions {
        if asked.contains(question.name) {
          if faulty.contains(question.name) { undecided.insert(question.name) }
        } else if try isUndecided || scope.depends(on: undecided, question.condition)
          || scope.depends(on: undecided, question.count)
        {
          undecided.insert(question.name)
          pointers.insert("/\(question.name)")
        }
      }
      guard let list = page.list else { continue }
      for (index, item) in given.items(of: list).enumerated() {
        guard let asked = asked(ofItem: index, of: list) else { break }
        let path = "/\(list.name)/\(index)/"
        var undecided = Set(
          refused.filter { $0.pointer.hasPrefix(path) }.compactMap { $0.pointer.tokens.dropFirst(2).first })
        if undecided.isEmpty { continue }
        var scope = scope
        scope.item = try self.item(of: list, item, at: index, in: values, environment).numbered
        for question in list.questions where !asked.contains(question.name) {
          guard try scope.depends(on: undecided, question.condition) else { continue }
          undecided.insert(question.name)
          pointers.insert(path + question.name)
        }
      }
    }
    return failures.filter { $0.fault != .notAsked || !pointers.contains($0.pointer) }
  }
}

extension JourneyQuestion {
  /// The number of items of a counted list; nil for any other question.
  fileprivate var count: JourneyCode<Int?>? {
    if case .list(let list) = subject, case .exactly(let count) = list.size { count } else { nil }
  }
}

extension JourneyScope {
  /// Returns whether code reads the answer to one of some questions.
  fileprivate func depends<Result>(on names: Set<String>, _ code: JourneyCode<Result>?) throws -> Bool {
    guard let code, !names.isEmpty else { return false }
    var scope = self
    let reads = ObservedReads(of: names)
    scope.reads = reads
    _ = try code(scope)
    return !reads.names.isEmpty
  }
}

extension String {
  /// The tokens of a JSON pointer, of which those of questions and indices have no escapes.
  fileprivate var tokens: [String] { split(separator: "/").map { String($0) } }
}

extension JourneyList {
  /// The maximum number of failures of an item about members that are not questions.
  fileprivate static let unknownLimit = 10
}

extension Value.Members {
  /// Returns the names of the members that are none of some names.
  fileprivate func unknown(to names: Set<String>) -> [String] { map(\.key).filter { !names.contains($0) } }
}
