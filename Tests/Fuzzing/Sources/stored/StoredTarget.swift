import Dispatch
import Navigation

@testable import Fuzzing
@testable import Sessions
import Values

/// Parses any bytes as the stored content of a session or of a creation. They are refused, or they survive a round
/// trip. The service shows, inspects and continues the session, or reports the reason.
@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = Input(start, count)
  let fuzzed = input.pick(StoredSamples.all)
  let isCreation = input.byte() & 3 == 0
  let content =
    input.byte() & 7 == 0
    ? input.remainder() : input.edited(isCreation ? fuzzed.creation : input.pick(fuzzed.contents))
  guard isCreation else {
    if let session = StoredSamples.session(of: fuzzed.app, content) {
      check(session, fuzzed)
      divide(session, &input)
    }
    return 0
  }
  guard let outcome = try? CreationOutcome(key: StoredSamples.outcomeKey, content: content) else { return 0 }
  let again = holdsWithoutError("a written creation is refused") {
    try CreationOutcome(key: StoredSamples.outcomeKey, content: outcome.content)
  }
  hold(again.content == outcome.content, "a creation does not survive a round trip")
  check(outcome.session, fuzzed)
  return 0
}

private func check(_ session: StoredSession, _ samples: StoredSamples) {
  let content = session.content
  let again = StoredSamples.session(of: session.app, content)
  hold(again?.content == content, "a session does not survive a round trip")
  hold(again?.revision == session.revision && again?.locale == session.locale, "the revision or the locale changes")
  hold(again?.timeZone == session.timeZone, "the time zone changes")
  hold(session.approximateSize > 0, "the session has no size")
  let entries = session.journal.entries(after: 0)
  _ = session.outcomes.outcome(for: StoredSamples.outcomeKey, at: Timestamp(milliseconds: 1))
  serve(session, entries, samples)
  advance(from: session, entries)
}

/// Checks that a session survives the division into parts, and that damaged parts are refused or survive it too.
private func divide(_ session: StoredSession, _ input: inout Input) {
  let (rest, parts) = session.withContent(.withoutParts) { (Array($0), $1) }
  let again = StoredSamples.session(of: session.app, rest, parts: parts.stored)
  hold(again?.journal.entries(after: 0) == session.journal.entries(after: 0), "a journal is divided into other parts")
  hold(again?.outcomes.all == session.outcomes.all, "the outcomes are divided into other parts")
  let damaged = parts.stored.map { SessionPart(key: $0.key, content: input.edited($0.content)) }
  guard let other = StoredSamples.session(of: session.app, rest, parts: damaged) else { return }
  hold(StoredSamples.session(of: other.app, other.content) == other, "a session of damaged parts is not a session")
}

/// Inspects the session and performs intents on it, which the service accepts or refuses.
private func serve(_ session: StoredSession, _ entries: [JournalEntry], _ samples: StoredSamples) {
  let id = SessionID(RandomBits(high: 0, low: 0))
  let done = DispatchSemaphore(value: 0)
  samples.store.put(session)
  Task.detached {
    if let summary = try? await samples.service.summary(session.key) {
      let revisions = [entries.first?.revision, entries.last?.revision, session.revision].compactMap { $0 }
      for revision in revisions { _ = samples.service.inspect(summary, at: revision) }
    }
    for revision in [session.revision, session.revision &- 1, nil] {
      let key = Idempotency(key: "key", request: [])
      _ = try? await samples.service.perform(IntentRequest(.back, revision: revision, idempotency: key), on: id)
      samples.store.put(session)
    }
    done.signal()
  }
  done.wait()
}

/// Checks that the entry of a next intent is kept, regardless of the entries before it.
private func advance(from session: StoredSession, _ entries: [JournalEntry]) {
  guard session.revision < .max else { return }
  let entry = StoredSamples.entry(session.revision + 1)
  let outcome = StoredSamples.outcome(entry.revision, session.navigation.packed)
  let next = session.advanced(to: session.navigation, by: entry, keeping: 16, outcome: outcome)
  let stored = StoredSamples.session(of: session.app, next.content)
  hold(stored?.journal.latest == entry, "the entry that was added is not the latest")
  let kept = stored?.outcomes.outcome(for: StoredSamples.outcomeKey, at: Timestamp(milliseconds: 3))
  hold(kept?.revision == entry.revision, "the outcome that was added is not kept")
}
