internal import CoreMetrics
internal import Foundation
internal import Navigation
internal import Observability
internal import Sessions
internal import Values

/// The connections to a database. Each connection has a thread.
///
/// Requests that concern one session share transactions: those that arrive during one are a batch in the next. A single
/// connection therefore writes more than several, whose batches would be smaller.
final class PostgreSQLPool: Sendable {
  /// The maximum number of requests in one transaction.
  private static let batchLimit = 256
  /// The number of requests with which a batch does not wait for more.
  private static let gatheringLimit = 64
  /// The nanoseconds that the first request of a batch waits for others: less than one sync of the disk.
  private static let gatheringTime = 200_000
  /// The pauses before the first retries, in microseconds. Later retries wait as long as the last one.
  private static let pauses: [UInt32] = [0, 50_000, 100_000, 250_000, 500_000]

  private let location: String
  private let lookUps = JobQueue<PostgreSQLJob>()
  private let writes = JobQueue<PostgreSQLJob>()
  /// The requests that concern many sessions. Scans may take long, and have a transaction each.
  private let scans = JobQueue<PostgreSQLJob>()
  /// Claims of work. Each claim has a transaction of its own, so that no batch of writes keeps the rows locked. Claims
  /// have a queue of their own, so that they do not wait for scans.
  private let claims = JobQueue<PostgreSQLJob>()
  /// A queue of its own, so that a readiness check is answered while other requests are stuck.
  private let checks = JobQueue<PostgreSQLJob>()
  private let threads = DispatchGroup()
  private let commitSize: Recorder
  private let log: @Sendable (String) -> Void

  init(_ location: String, metrics: any MetricsFactory, log: @escaping @Sendable (String) -> Void) {
    commitSize = metrics.histogram(.commitSize)
    self.location = location
    self.log = log
  }

  func start() {
    for queue in [lookUps, writes, scans, scans, claims, checks] {
      threads.startThread("usher.postgres") { [self] in
        var connection: PostgreSQLConnection?
        while let jobs = next(of: queue) { process(jobs, from: queue, over: &connection) }
      }
    }
  }

  private func next(of queue: JobQueue<PostgreSQLJob>) -> [PostgreSQLJob]? {
    guard queue === lookUps || queue === writes else { return queue.dequeue().map { [$0] } }
    // Half of the previous batch: few clients then prepare the other half of their requests while this batch is
    // processed.
    return queue.dequeueBatch(limit: Self.batchLimit, timeout: Self.gatheringTime) {
      min($0 / 2, Self.gatheringLimit)
    }
  }

  /// Refuses new requests, and blocks until the pending ones are answered.
  func stop() {
    for queue in [lookUps, writes, scans, claims, checks] { queue.close() }
    threads.wait()
  }

  private func queue(for kind: PostgreSQLRequest.Kind) -> JobQueue<PostgreSQLJob> {
    switch kind {
    case .lookUp: lookUps
    case .write: writes
    case .scan, .bulkWrite: scans
    case .claim: claims
    case .check: checks
    }
  }

  /// Sends a request, and returns what `decode` makes of its answer. A write is durable then.
  func answer<Answer: Sendable>(
    _ request: PostgreSQLRequest,
    by decode: @escaping @Sendable (PostgreSQLAnswer) throws(ValueError) -> Answer
  ) async throws(StoreError) -> Answer {
    try await awaitAnswer { answer(request, by: decode, then: $0) }
  }

  /// Sends a request, and passes what `decode` makes of its answer to `completion`.
  func answer<Answer: Sendable>(
    _ request: PostgreSQLRequest,
    by decode: @escaping @Sendable (PostgreSQLAnswer) throws(ValueError) -> Answer,
    then completion: @escaping @Sendable (Result<Answer, StoreError>) -> Void
  ) {
    let job = PostgreSQLJob(request) { answer in
      completion(
        answer.flatMap { answer in
          do throws(ValueError) {
            return .success(try decode(answer))
          } catch {
            return .failure(.undecodable(error, in: "The database"))
          }
        })
    }
    if !queue(for: request.kind).enqueue(job) {
      completion(.failure(.unavailable("The database connections are closed, because the service is stopping.")))
    }
  }

  /// Processes a batch, with retries until its deadline where another attempt may succeed.
  ///
  /// - Parameter mayHaveRun: whether the server may have executed an earlier attempt.
  private func process(
    _ jobs: [PostgreSQLJob], from queue: JobQueue<PostgreSQLJob>, over connection: inout PostgreSQLConnection?,
    mayHaveRun: Bool = false
  ) {
    var mayHaveRun = mayHaveRun
    // In the order of their locks, so that processes that write the same sessions rarely deadlock.
    var pending = jobs.sorted { $0.request.lock < $1.request.lock }
    var failure = Self.unreachable(.timeout)
    var (isUnreachable, refusals) = (false, 0)
    for attempt in 0... {
      let now = Deadline.now
      fail(pending.filter { $0.deadline < now } + queue.remove { $0.deadline < now }, .unavailable(failure))
      pending.removeAll { $0.deadline < now }
      guard let deadline = pending.map(\.deadline).min() else { return }
      do throws(PostgreSQLError) {
        let open = if let connection { connection } else { try PostgreSQLConnection(location, deadline: deadline) }
        if isUnreachable { log("The database is reachable again.") }
        isUnreachable = false
        connection = open
        let answers = try open.answer(pending, mayHaveRun: mayHaveRun, deadline: deadline)
        if !pending[0].request.isRead { commitSize.record(pending.count) }
        for (job, answer) in zip(pending, answers) { job.completion(answer) }
        return
      } catch  where error.isCorruption {
        guard pending.count > 1 else {
          return fail(pending, .unreadable("The database is damaged: \(error.message). Restore a backup."))
        }
        // Split the batch, so that only requests for the damaged page fail.
        let middle = pending.count / 2
        process(Array(pending[..<middle]), from: queue, over: &connection, mayHaveRun: mayHaveRun)
        return process(Array(pending[middle...]), from: queue, over: &connection, mayHaveRun: mayHaveRun)
      } catch {
        failure = Self.unreachable(error)
        if error.state != nil {
          if error.dependsOnConnection { connection = nil }
          refusals += 1
          guard error.isConflict || error.dependsOnConnection && refusals == 1 else {
            return fail(pending, .unavailable("The database refused a statement: \(error.message)"))
          }
        } else {
          if !isUnreachable { log(failure) }
          isUnreachable = true
          mayHaveRun = mayHaveRun || connection != nil
          connection = nil
        }
        usleep(Self.pauses[min(attempt, Self.pauses.count - 1)])
      }
    }
  }

  private static func unreachable(_ error: PostgreSQLError) -> String {
    "The database is unreachable: \(error.message)"
  }

  private func fail(_ jobs: [PostgreSQLJob], _ error: StoreError) {
    for job in jobs { job.completion(.failure(error)) }
  }
}
