import Navigation
import Values

@testable import Fuzzing
@testable import Navigation

/// Opens links of any kind between actions. Every step is consistent, a refused link changes nothing, and a link has
/// the same meaning in every percent-encoding.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let fuzzed = input.pick(FuzzedApp.all.filter { !$0.links.isEmpty })
  var random = Randomness(seed: UInt64(input.byte()))
  var here = holdsWithoutError("a session cannot be created") { try fuzzed.app.begin() }
  var steps = 0
  while !input.isEmpty, steps < 32 {
    steps += 1
    let next: PackedState?
    if input.byte() & 1 == 0 {
      next = open(input.link(of: fuzzed.app), from: here, fuzzed.checks)
    } else {
      let offer = holdsWithoutError("the session cannot be viewed") { try AvailableIntents(fuzzed.app, here.state) }
      let intents = input.byte() & 7 == 0 ? offer.unadvertised(&random) : offer.advertised(&random)
      guard !intents.isEmpty else { return 0 }
      next = perform(input.pick(intents), on: here, fuzzed.checks)
    }
    here = next ?? here
  }
  return 0
}

private func perform(_ intent: Intent, on here: PackedState, _ checks: StepChecks) -> PackedState? {
  let next = holdsWithoutError("\(intent)") { try checks.perform(intent, on: here.packed, isOffered: nil) }
  if next == nil {
    hold(checks.app.pack(here.state) == here.packed, "\(intent) was refused, but changed the session")
  }
  return next
}

private func open(_ link: String, from here: PackedState, _ checks: StepChecks) -> PackedState? {
  let next = perform(.open(link: link), on: here, checks)
  if let again = reencoded(link) {
    hold(meaning(of: again, checks.app) == meaning(of: link, checks.app), "\(link) and \(again) mean different steps")
  }
  holdsWithoutError("\(link) leads to another stack") {
    try JourneyChecks(app: checks.app).checkLink(link, from: here.packed)
  }
  return next
}

/// Returns the steps of a link as texts, or nil for a refused link.
private func meaning(of link: String, _ app: AppDefinition) -> [String]? {
  try? app.steps(of: link).map { step in try step.action.map { "\($0.key) \(try $0.input())" } ?? step.name }
}

/// Returns a link with every possible byte of its parts percent-encoded, or nil for an invalid link.
private func reencoded(_ link: String) -> String? {
  guard let location = LinkLocation(link) else { return nil }
  let query = location.query.sorted { $0.key < $1.key }.flatMap { name, values in
    values.map { "\(percentEncoded(name))=\(percentEncoded($0))" }
  }.joined(separator: "&")
  let path = location.path.map { "/" + percentEncoded($0) }.joined()
  return (path.isEmpty ? "/" : path) + (query.isEmpty ? "" : "?" + query)
}

extension Input {
  /// Returns any text, or a path of the pattern of a link, with arbitrary values for its placeholders and its query.
  mutating func link(of app: AppDefinition) -> String {
    guard byte() & 7 != 0 else { return "/" + text() }
    let link = pick(app.links)
    var path = ""
    for segment in link.pattern.segments {
      switch segment {
      case .literal(let literal): path += "/" + literal
      case .field(let name): path += "/" + value(of: link.input.fields.first { $0.name == name })
      }
    }
    let pairs = link.input.fields.filter { _ in byte() & 1 == 1 }.map { "\($0.name)=\(value(of: $0))" }
    return path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))
  }

  /// Returns a value that is usually valid for the field and sometimes percent-encoded, or any text.
  private mutating func value(of field: FieldSchema?) -> String {
    switch byte() & 3 {
    case 0: return text()
    case 1: return percentEncoded(text())
    default: break
    }
    switch field?.kind {
    case let kind as WholeNumberKind: return "\(Int(kind.bounds.minimum ?? 0) + below(100))"
    case let kind as NumberKind: return "\(Int(kind.bounds.minimum ?? 0) + below(100))"
    case let kind as ChoiceKind: return kind.text(of: pick(kind.choices).value)
    case is any TextualKind: return "x"
    default: return "true"
    }
  }
}
