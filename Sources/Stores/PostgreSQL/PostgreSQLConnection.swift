internal import CPostgreSQL
internal import Foundation

/// A connection to a PostgreSQL server, for one thread at a time. A call may wait past its deadline only to resolve the
/// server's name.
///
/// Values are sent and received in PostgreSQL's binary format. No state but prepared statements outlives a transaction,
/// so that a connection may lead through a pooler in transaction mode.
final class PostgreSQLConnection {
  private let raw: OpaquePointer
  /// The names of the statements that the server has prepared, by their text.
  private var prepared: [String: String] = [:]
  /// False once a pooler has sent this connection's statements to different servers.
  private var mayPrepare = true
  /// Whether the current statement only reads. Only such a statement is ever cancelled: a cancelled write that waits
  /// for replication would be visible without being safe.
  var isReading = false
  /// Whether the server may still execute a statement that has timed out. `deinit` cancels that statement, because
  /// abandoned ones would otherwise accumulate on the server.
  private var isAbandoned = false

  /// The timeout of one attempt to connect. Short, so that a silent server does not use up the time of the waiting
  /// requests.
  private static let timeout = Duration.seconds(2)

  /// Connects within two seconds, or by the deadline if that is earlier.
  ///
  /// - Parameter location: a URI for libpq (PostgreSQL manual, section 34.1.1).
  init(_ location: String, deadline: Deadline) throws(PostgreSQLError) {
    guard let raw = PQconnectStart(location) else { throw .connectionLost("Out of memory for a connection.") }
    self.raw = raw
    // Drop notices, which libpq would print to the standard error stream.
    PQsetNoticeProcessor(raw, { _, _ in }, nil)
    let deadline = min(deadline, .now + Self.timeout)
    var status = PGRES_POLLING_WRITING
    while status != PGRES_POLLING_OK {
      guard PQstatus(raw) != CONNECTION_BAD, status != PGRES_POLLING_FAILED else {
        let message = Self.message(of: raw)
        throw .connectionLost(PostgreSQLRedaction.redacted(connectionMessage: message, location: location))
      }
      let events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard Self.wait(for: Int16(events), on: raw, until: deadline) else {
        throw .timeout
      }
      status = PQconnectPoll(raw)
    }
    PQsetnonblocking(raw, 1)
    PQenterPipelineMode(raw)
  }

  deinit {
    guard isAbandoned, let request = PQgetCancel(raw) else { return PQfinish(raw) }
    // On a thread of its own, because PQcancel blocks. Close the connection last: a pooler identifies the client by it.
    nonisolated(unsafe) let (connection, handle) = (raw, request)
    Thread.start("usher.cancel") {
      var message = [CChar](repeating: 0, count: 256)
      PQcancel(handle, &message, Int32(message.count))
      PQfreeCancel(handle)
      PQfinish(connection)
    }
  }

  /// Runs one statement.
  func run(
    _ sql: String, _ parameters: PostgreSQLParameter..., deadline: Deadline
  ) throws(PostgreSQLError) -> PostgreSQLRows {
    try run([PostgreSQLStatement(sql, parameters)], deadline: deadline)[0]
  }

  /// Runs statements in one transaction and one round trip, and returns their results in order.
  ///
  /// - Throws: the first error. `connectionLost` if the connection is unusable: the server may have executed the
  ///   transaction, or may still do so. After any other error, the transaction had no effect.
  @discardableResult
  func run(_ statements: [PostgreSQLStatement], deadline: Deadline) throws(PostgreSQLError) -> [PostgreSQLRows] {
    do throws(PostgreSQLError) {
      return try results(of: try send(statements), deadline)
    } catch {
      guard mayPrepare, error.concernsPreparedStatement else { throw error }
      mayPrepare = false
      return try results(of: try send(statements), deadline)
    }
  }

  /// Waits for notifications, and returns their payloads; an empty array after a timeout, and nil if the connection is
  /// lost.
  func notifications(within timeout: Duration) -> [String]? {
    var payloads: [String] = []
    _ = Self.wait(for: Int16(POLLIN), on: raw, until: .now + timeout)
    guard PQconsumeInput(raw) == 1 else { return nil }
    while let notification = PQnotifies(raw) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }

  /// A message to the server that has a result.
  private enum Message {
    case preparation(sql: String, name: String)
    case execution
  }

  /// Queues the messages of a pipeline (PostgreSQL manual, section 34.5), and sends as many as the socket accepts.
  private func send(_ statements: [PostgreSQLStatement]) throws(PostgreSQLError) -> [Message] {
    var messages: [Message] = []
    var names = mayPrepare ? prepared : [:]
    for statement in statements {
      if names[statement.sql] == nil {
        // The name is a hash of the statement, because a pooler may hand over a server on which another client has
        // prepared statements. The unnamed statement lasts until the next one.
        let name = mayPrepare ? "usher_\(stableHash(of: statement.sql))" : ""
        if !mayPrepare { names = [:] }
        names[statement.sql] = name
        messages.append(.preparation(sql: statement.sql, name: name))
        let types = statement.parameters.map(\.type)
        try requireSent(PQsendPrepare(raw, name, statement.sql, Int32(types.count), types))
      }
      messages.append(.execution)
      try send(statement.parameters, to: names[statement.sql] ?? "")
    }
    try requireSent(PQpipelineSync(raw))
    return messages
  }

  /// Sends an execution of a prepared statement.
  private func send(_ parameters: [PostgreSQLParameter], to name: String) throws(PostgreSQLError) {
    // One array for all values, because the pointers to the values have to stay valid during the call.
    var bytes: [UInt8] = []
    let lengths = parameters.map { parameter in
      let start = bytes.count
      parameter.append(to: &bytes)
      return Int32(bytes.count - start)
    }
    let formats = [Int32](repeating: 1, count: parameters.count)
    bytes.append(0)
    try requireSent(
      bytes.withUnsafeBytes { bytes in
        var next = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
        let values: [UnsafePointer<CChar>?] = zip(parameters, lengths).map { parameter, length in
          defer { next += Int(length) }
          return parameter.isNull ? nil : next
        }
        return PQsendQueryPrepared(raw, name, Int32(parameters.count), values, lengths, formats, 1)
      })
  }

  private func requireSent(_ status: Int32) throws(PostgreSQLError) {
    guard status == 1 else { throw .connectionLost(Self.message(of: raw)) }
  }

  /// Sends the rest of a pipeline, and returns the results of its executions. Receives results meanwhile, because the
  /// server reads no further while they fill its buffers.
  private func results(of messages: [Message], _ deadline: Deadline) throws(PostgreSQLError) -> [PostgreSQLRows] {
    var remaining = messages[...]
    var results: [PostgreSQLRows] = []
    var failure: PostgreSQLError?
    while true {
      let unsent = PQflush(raw)
      guard unsent >= 0, PQstatus(raw) == CONNECTION_OK else { throw .connectionLost(Self.message(of: raw)) }
      if PQisBusy(raw) == 1 {
        let events = Int16(unsent == 1 ? POLLIN | POLLOUT : POLLIN)
        guard Self.wait(for: events, on: raw, until: deadline) else {
          isAbandoned = isReading
          throw .timeout
        }
        guard PQconsumeInput(raw) == 1 else { throw .connectionLost(Self.message(of: raw)) }
        continue
      }
      // Null marks the end of the results of one message.
      guard let next = PQgetResult(raw) else { continue }
      if PQresultStatus(next) == PGRES_PIPELINE_SYNC {
        PQclear(next)
        break
      }
      do throws(PostgreSQLError) {
        let rows = try PostgreSQLRows(next)
        switch remaining.popFirst() {
        case .preparation(let sql, let name): if mayPrepare { prepared[sql] = name }
        default: results.append(rows)
        }
      } catch {
        // The results after the first error say only that the transaction is aborted.
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return results
  }

  /// Waits for the socket, and returns false after the deadline.
  private static func wait(for events: Int16, on raw: OpaquePointer, until deadline: Deadline) -> Bool {
    var descriptor = pollfd(fd: PQsocket(raw), events: events, revents: 0)
    while true {
      let ready = poll(&descriptor, 1, deadline.remainingMilliseconds)
      if ready > 0 { return true }
      if ready == 0 || errno != EINTR { return false }
    }
  }

  private static func message(of raw: OpaquePointer) -> String {
    PostgreSQLError.singleLine(String(cString: PQerrorMessage(raw)))
  }
}

/// Returns a hash that is the same in every process (FNV-1a).
private func stableHash(of text: String) -> String {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return String(hash, radix: 16)
}

/// The failure of a connection or a statement. Messages are for the operator.
enum PostgreSQLError: Error {
  /// The connection is lost, or was never established. The server may or may not have executed a statement that was
  /// sent.
  case connectionLost(String)
  /// The server refused the statement, which had no effect. The state is an SQLSTATE code (PostgreSQL manual, appendix
  /// A).
  case refused(state: String, String)

  /// The loss of a connection whose server exceeds the deadline.
  static let timeout = PostgreSQLError.connectionLost("The server did not answer in time.")

  var message: String {
    switch self {
    case .connectionLost(let message), .refused(_, let message): message
    }
  }

  /// The state of a refusal; nil for the loss of a connection.
  var state: String? { if case .refused(let state, _) = self { state } else { nil } }

  /// Whether a concurrent transaction on the same rows caused the refusal: serialization failure or deadlock, or a
  /// definition that was removed, or came into use, after the statement had looked.
  var isConflict: Bool { ["40001", "40P01", "23503"].contains(state) }

  /// Whether a page of a table or of an index is damaged: `data_corrupted` or `index_corrupted`.
  var isCorruption: Bool { ["XX001", "XX002"].contains(state) }

  /// Whether a prepared statement does not exist, or exists already, as happens behind some poolers.
  var concernsPreparedStatement: Bool { ["26000", "42P05"].contains(state) }

  /// Whether the statement may succeed on another connection: this one leads to a server that is read-only or out of
  /// resources, or its tables changed under a prepared statement.
  var dependsOnConnection: Bool {
    guard let state else { return true }
    return state == "25006" || state == "0A000" || ["53", "57", "XX"].contains(state.prefix(2))
  }

  /// Joins the lines of a message from libpq.
  static func singleLine(_ message: String) -> String {
    message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

/// A time by which an operation has to end, on the monotonic clock.
typealias Deadline = ContinuousClock.Instant

extension Deadline {
  var hasPassed: Bool { self < .now }

  /// The remaining time for `poll`, rounded up; 0 once the deadline has passed.
  fileprivate var remainingMilliseconds: Int32 {
    Int32(clamping: max(0, Int((Deadline.now.duration(to: self) / .milliseconds(1)).rounded(.up))))
  }
}
