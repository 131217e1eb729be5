internal import Sessions
internal import Values

extension WorkSearch {
  /// The time for which due work of a later version is left to the processes that have it. After a return to an earlier
  /// version there are none, and its sessions may be readable.
  static let reserve = Duration.seconds(60)

  /// Claims work of queues one after the other, up to the free slots of each and of all.
  func claim(
    from queues: [WorkQueue], by claim: (_ queue: WorkQueue, _ limit: Int) throws -> [ClaimedWork]
  ) rethrows -> [ClaimedWork] {
    try queues.reduce(into: []) { claimed, queue in
      let limit = min(slots.count(of: queue), slots.count - claimed.count)
      if limit > 0 { claimed += try claim(queue, limit) }
    }
  }

  /// The time before which the work of later versions is claimed as well.
  var reservedSince: Timestamp { Timestamp(milliseconds: now.milliseconds - Int64(Self.reserve / .milliseconds(1))) }
}

extension WorkReport {
  /// The maximum size of an error that a database keeps, in bytes.
  private static let errorLimit = 1024

  /// The error as a database keeps it: without the character NUL, which ends a text there, and truncated to 1 KiB.
  var storedError: String? {
    guard let text = error?.replacing("\0", with: "") else { return nil }
    let end = text.utf8.index(text.startIndex, offsetBy: Self.errorLimit, limitedBy: text.endIndex) ?? text.endIndex
    // The end of a substring is rounded down to the begin of a character's Unicode scalar.
    return String(text[..<end])
  }
}

extension [UInt8] {
  /// Returns 32 bytes of the system's random number generator.
  static func randomSecret() -> [UInt8] { (0..<32).map { _ in .random(in: 0...255) } }
}
