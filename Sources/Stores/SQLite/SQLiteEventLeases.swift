internal import Sessions
internal import Values

/// The leases of events on a session file. The leases are kept in memory, because only one process works on the file,
/// and an event that was not applied before that process ended is due again at the next start.
///
/// The lease of an effect is written, because an attempt of a process that has ended may have had its effect. So is that
/// of an event that was due before the process started, because it may be what ended an earlier process.
struct SQLiteEventLeases {
  private struct Lease {
    let number: Int64
    var end: Timestamp
  }

  private var leases: [SQLiteWorkKey: Lease] = [:]
  private var lastNumber: Int64 = 0
  /// The time of the first claim of this process.
  private var begin: Timestamp?

  var count: Int { leases.count }

  /// Prepares a claim: removes the leases that have expired.
  mutating func prepare(at now: Timestamp) {
    begin = begin ?? now
    if leases.values.contains(where: { $0.end <= now }) { leases = leases.filter { $0.value.end > now } }
  }

  func contains(_ work: SQLiteWorkKey) -> Bool { leases[work] != nil }

  /// Leases an event, and returns the number of the lease; nil if the lease has to be written.
  mutating func take(_ work: SQLiteWorkKey, dueSince dueAt: Timestamp, until end: Timestamp) -> Int64? {
    guard let begin, dueAt > begin else { return nil }
    lastNumber += 1
    leases[work] = Lease(number: lastNumber, end: end)
    return lastNumber
  }

  /// Extends a lease. Returns false if it is not in memory.
  mutating func renew(_ work: SQLiteWorkKey, _ number: Int64, until end: Timestamp) -> Bool {
    guard leases[work]?.number == number else { return false }
    leases[work]?.end = end
    return true
  }

  /// Ends a lease, and returns its number in the row of the work: 0 for a lease in memory; nil if the lease was lost.
  mutating func end(_ work: SQLiteWorkKey, _ number: Int64) -> Int64? {
    guard let lease = leases[work] else { return number }
    guard lease.number == number else { return nil }
    leases[work] = nil
    return 0
  }

  /// Ends the lease of work that was removed, or replaced.
  mutating func end(_ work: SQLiteWorkKey) { leases[work] = nil }

  /// Ends the leases of a session's work.
  mutating func end(of session: Int64) {
    if !leases.isEmpty { leases = leases.filter { $0.key.session != session } }
  }
}
