import Navigation
import Values

@testable import Fuzzing
@testable import Navigation

/// Links of any kind, and actions in between: every step is sound, a refused link changes nothing, and a link means the same
/// however it is percent-encoded.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let fuzzed = input.pick(FuzzedApp.all.filter { !$0.links.isEmpty })
  var random = Randomness(seed: UInt64(input.byte()))
  var here = holdsWithoutError("no session begins") { try fuzzed.app.begin() }
  var steps = 0
  while !input.isEmpty, steps < 32 {
    steps += 1
    let next: Moment?
    if input.byte() & 1 == 0 {
      next = open(input.link(of: fuzzed.app), from: here, fuzzed.checks)
    } else {
      let offer = holdsWithoutError("nothing shows") { try AvailableIntents(fuzzed.app, here.state) }
      let intents = input.byte() & 7 == 0 ? offer.unadvertised(&random) : offer.advertised(&random)
      guard !intents.isEmpty else { return 0 }
      next = perform(input.pick(intents), on: here, fuzzed.checks)
    }
    here = next ?? here
  }
  return 0
}

private func perform(_ intent: Intent, on here: Moment, _ checks: StepChecks) -> Moment? {
  let next = holdsWithoutError("\(intent)") { try checks.perform(intent, on: here.packed, isOffered: nil) }
  if next == nil {
    hold(checks.app.pack(here.state) == here.packed, "\(intent) was refused and has changed the session")
  }
  return next
}

private func open(_ link: String, from here: Moment, _ checks: StepChecks) -> Moment? {
  let next = perform(.open(link: link), on: here, checks)
  if let again = reencoded(link) {
    hold(meaning(of: again, checks.app) == meaning(of: link, checks.app), "\(link) and \(again) mean different steps")
  }
  holdsWithoutError("\(link) leads somewhere else") {
    try JourneyChecks(app: checks.app).checkLink(link, from: here.packed)
  }
  return next
}

/// The steps of a link, each as a text; nil where it is refused.
private func meaning(of link: String, _ app: AppDefinition) -> [String]? {
  try? app.steps(of: link).map { step in
    switch step.kind {
    case .tab(let name): name
    case .action(let name, _, let input): "\(name) \(try input())"
    }
  }
}

/// The link with every byte of its parts percent-encoded that may be; nil for what is no link.
private func reencoded(_ link: String) -> String? {
  guard let location = LinkLocation(link) else { return nil }
  let query = location.query.map { "\(percentEncoded($0))=\(percentEncoded($1))" }.sorted().joined(separator: "&")
  let path = location.path.map { "/" + percentEncoded($0) }.joined()
  return (path.isEmpty ? "/" : path) + (query.isEmpty ? "" : "?" + query)
}

extension Input {
  /// Any text, or a path in the pattern of one of the app's links, with anything in its places and its query.
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

  /// What fits a field in the most part, sometimes percent-encoded; and else any text.
  private mutating func value(of field: FieldSchema?) -> String {
    switch byte() & 3 {
    case 0: return text()
    case 1: return percentEncoded(text())
    default: break
    }
    switch field?.kind {
    case let kind as WholeNumberKind: return "\(Int(kind.bounds.minimum ?? 0) + below(100))"
    case let kind as NumberKind: return "\(Int(kind.bounds.minimum ?? 0) + below(100))"
    case let kind as TextKind: return kind.choices.map { "\(pick($0).value)" } ?? "x"
    default: return "true"
    }
  }
}
