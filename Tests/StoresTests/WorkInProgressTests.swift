import Navigation
import Testing

@testable import Sessions

/// The decision of a runner how much work it claims.
@Suite struct WorkInProgressTests {
  private var work = WorkInProgress(effectLimit: 8, queueLimit: 3)
  private var next: Int64 = 0
  private let slow = WorkQueue(name: "slow")
  private let fast = WorkQueue(name: "fast")

  private mutating func add(_ count: Int, to queue: WorkQueue) -> [ClaimedWork] {
    let claimed = (0..<count).map { _ in
      next += 1
      return ClaimedWork(
        session: SessionKey(.random()), id: WorkID(1), queue: queue, lease: next, attempts: 0, claims: 1, progress: nil)
    }
    work.add(claimed, since: .now)
    return claimed
  }

  @Test mutating func `the next events are claimed in groups while most are in progress`() {
    #expect(work.eventSlots == .events(1024))
    var events = add(1024, to: .events)
    #expect(work.eventSlots == nil)
    var wakeUps = 0
    for count in 1...1024 {
      if work.remove(events.removeLast()) { wakeUps += 1 }
      #expect(work.eventSlots == (count < 256 ? nil : .events(count)))
      #expect(wakeUps == (count < 256 ? 0 : 1))
    }
    #expect(work.count == 0)
  }

  @Test mutating func `the events of a session follow each other in the order of their claims`() {
    let (a, b) = (SessionKey(.random()), SessionKey(.random()))
    func event(_ id: UInt32, of session: SessionKey) -> ClaimedWork {
      ClaimedWork(
        session: session, id: WorkID(id), queue: .events, lease: 1, attempts: 0, claims: 1, progress: nil)
    }
    var queued = [event(1, of: a), event(2, of: a), event(3, of: b), event(4, of: a)].map { work.enqueue($0) }
    #expect(queued == [false, true, false, true])
    var followers = [work.next(of: a), work.next(of: b)]
    queued = [work.enqueue(event(5, of: a))]
    followers += [work.next(of: a), work.next(of: a), work.next(of: a)]
    #expect(followers.map { $0?.id.rawValue } == [2, nil, 4, 5, nil])
    queued += [event(6, of: a), event(7, of: b)].map { work.enqueue($0) }
    #expect(queued == [true, false, false])
  }

  @Test mutating func `effects take no slots of events or of other queues`() {
    let slowEffects = add(3, to: slow)
    _ = add(1024, to: .events)
    #expect(work.effectSlots == .effects(5, ofQueue: 3, taken: [slow: 3]))
    let fastEffects = add(2, to: fast)
    _ = add(3, to: WorkQueue(name: "other"))
    #expect(work.effectSlots == nil)
    // A slot in a full queue, or the first slot of all, may let another effect begin.
    let wakeUps = [fastEffects[0], fastEffects[1], slowEffects[0], slowEffects[1], slowEffects[1]].map { done in
      work.remove(done)
    }
    #expect(wakeUps == [true, false, true, false, false])
    #expect(
      work.effectSlots
        == .effects(4, ofQueue: 3, taken: [slow: 1, WorkQueue(name: "other"): 3]))
  }

  @Test mutating func `the age of work begins before its claim`() async throws {
    let begin = ContinuousClock.now - .seconds(3)
    let claimed = add(1, to: slow)[0]
    #expect(work.age(of: claimed) < .seconds(3))
    _ = work.remove(claimed)
    work.add([claimed], since: begin)
    #expect(work.age(of: claimed) >= .seconds(3))
  }
}
