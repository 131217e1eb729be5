import Navigation
import Testing

@testable import Sessions

/// The decision of a runner how much work it claims.
@Suite struct WorkInProgressTests {
  private var work = WorkInProgress()
  private var next: Int64 = 0
  private let limit = 64

  /// Claims as much as there is a place for, and returns the claimed pieces.
  private mutating func claim(available: Int = .max) -> [ClaimedWork] {
    let places = work.places(limit)
    guard places > 0 else { return [] }
    let claimed = (0..<min(places, available)).map { _ in
      next += 1
      return ClaimedWork(
        session: SessionKey(.random()), id: WorkID(1), lease: next, attempts: 0, claims: 1, progress: nil)
    }
    work.add(claimed, of: places, eventLimit: 1024)
    return claimed
  }

  private mutating func begin(_ count: Int, isEvent: Bool) { for _ in 0..<count { work.begin(isEvent: isEvent) } }

  @Test mutating func `many events get more places, and the next ones are claimed while most are in progress`() {
    var claimed = claim()
    #expect(claimed.count == 64)
    var most = 0
    for _ in 0..<40 {
      begin(claimed.count, isEvent: true)
      if work.eventPlaces > 8 {
        _ = work.remove(claimed.removeLast(), limit)
        #expect(work.places(limit) == 0)
      }
      while let done = claimed.popLast(), !work.remove(done, limit) {}
      #expect(claimed.count == work.works.count)
      if work.eventPlaces > 0 { #expect(claimed.count == limit + work.eventPlaces - max(1, work.eventPlaces / 8)) }
      // The runner claims until there is no place.
      while true {
        let more = claim()
        if more.isEmpty { break }
        claimed += more
      }
      most = max(most, claimed.count)
    }
    #expect(most == 64 + 1024)
    while let done = claimed.popLast() { _ = work.remove(done, limit) }
    claimed = claim(available: 3)
    #expect(claimed.count == 3)
    #expect(work.eventPlaces == 0)
  }

  @Test mutating func `effects never exceed their limit, and leave the places that events have had`() {
    var claimed = claim()
    begin(claimed.count, isEvent: false)
    for _ in 0..<20 {
      let isFree = work.remove(claimed.removeLast(), limit)
      #expect(isFree)
      let more = claim()
      #expect(more.count == 1 && work.works.count == 64)
      begin(more.count, isEvent: false)
      claimed += more
    }
    for done in claimed { _ = work.remove(done, limit) }
    for _ in 0..<8 {
      claimed = claim()
      begin(claimed.count, isEvent: true)
      for done in claimed { _ = work.remove(done, limit) }
    }
    #expect(work.eventPlaces == 1024)
    // Effects in the places of events delay no claim.
    claimed = claim()
    begin(claimed.count, isEvent: false)
    let isFree = work.remove(claimed.removeLast(), limit)
    #expect(isFree && work.places(limit) == 1)
    for done in claimed { _ = work.remove(done, limit) }
    for _ in 0..<12 {
      claimed = claim()
      begin(claimed.count, isEvent: false)
      for done in claimed { _ = work.remove(done, limit) }
    }
    #expect(work.eventPlaces == 0)
  }
}
