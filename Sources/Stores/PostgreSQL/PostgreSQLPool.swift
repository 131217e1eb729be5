internal import CoreMetrics
internal import Foundation
internal import Observability
internal import Sessions

/// The connections to a database, each with a thread that takes all requests that have come meanwhile and are alike, and has
/// them answered at once. Few connections therefore do more than many.
final class PostgreSQLPool: Sendable {
  /// Requests in one statement at most.
  private static let batchLimit = 256
  private static let pauses: [UInt32] = [0, 50_000, 100_000, 250_000, 500_000]

  private let location: String
  private let reads = JobQueue<PostgreSQLJob>()
  private let writes = JobQueue<PostgreSQLJob>()
  /// By themselves, so that they are answered while everything else waits.
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
    for queue in [reads, reads, writes, writes, checks] {
      threads.enter()
      Thread.start("usher.postgres") { [self] in
        var connection: PostgreSQLConnection?
        while let jobs = queue.take(
          atMost: Self.batchLimit, with: { PostgreSQLRequest.areAlike($0.request, $1.request) })
        {
          serve(jobs, from: queue, over: &connection)
        }
        threads.leave()
      }
    }
  }

  /// Finishes what was asked for so far; everything else is refused. Blocks until it is done.
  func stop() {
    reads.close()
    writes.close()
    checks.close()
    threads.wait()
  }

  /// Has a request answered; for a change, once it lasts.
  func answer(_ request: PostgreSQLRequest) async throws(StoreError) -> PostgreSQLAnswer {
    let queue = if case .check = request { checks } else { request.isRead ? reads : writes }
    let result = await withUnsafeContinuation {
      (done: UnsafeContinuation<Result<PostgreSQLAnswer, StoreError>, Never>) in
      let job = PostgreSQLJob(request: request, deadline: .now + request.patience, done: done)
      if !queue.put(job) { done.resume(returning: .failure(.unavailable("The connections are closed."))) }
    }
    return try result.get()
  }

  private func serve(
    _ jobs: [PostgreSQLJob], from queue: JobQueue<PostgreSQLJob>, over connection: inout PostgreSQLConnection?
  ) {
    var left = jobs
    var reason = "The database does not answer."
    var (isAway, refusals) = (false, 0)
    for attempt in 0... {
      let now = Deadline.now
      fail(left.filter { $0.deadline < now } + queue.remove { $0.deadline < now }, .unavailable(reason))
      left.removeAll { $0.deadline < now }
      guard let deadline = left.first?.deadline else { return }
      do throws(PostgreSQLError) {
        let open = try connect(connection, by: deadline)
        if isAway { log("The database can be reached again.") }
        isAway = false
        connection = open
        let answers = try open.answer(left, deadline: deadline)
        if !left[0].request.isRead { commitSize.record(left.count) }
        for (job, answer) in zip(left, answers) { job.done.resume(returning: answer) }
        return
      } catch  where error.isDamage {
        guard left.count > 1 else { return fail(left, .unreadable("The database is damaged: \(error.sentence)")) }
        // Only what is on the damaged page fails.
        let middle = left.count / 2
        serve(Array(left[..<middle]), from: queue, over: &connection)
        return serve(Array(left[middle...]), from: queue, over: &connection)
      } catch {
        reason = "The database cannot be reached: \(error.sentence)"
        if case .refused = error {
          if error.isOfConnection { connection = nil }
          refusals += 1
          guard error.isCollision || error.isOfConnection && refusals == 1 else {
            return fail(left, .unavailable("The database refuses a statement: \(error.sentence)"))
          }
        } else {
          if !isAway { log(reason) }
          isAway = true
          if connection != nil { for place in left.indices { left[place].isUnsure = true } }
          connection = nil
        }
        usleep(Self.pauses[min(attempt, Self.pauses.count - 1)])
      }
    }
  }

  private func connect(
    _ connection: PostgreSQLConnection?, by deadline: Deadline
  ) throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection { return connection }
    return try PostgreSQLConnection(location, deadline: deadline)
  }

  private func fail(_ jobs: [PostgreSQLJob], _ error: StoreError) {
    for job in jobs { job.done.resume(returning: .failure(error)) }
  }
}
