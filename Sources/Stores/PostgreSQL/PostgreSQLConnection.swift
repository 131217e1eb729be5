internal import CPostgreSQL
internal import Foundation

/// One connection to a PostgreSQL server, used by one thread at a time. Nothing here waits past a deadline, except for the name of
/// the server to be resolved.
///
/// Everything goes over in PostgreSQL's binary form, and one statement at a time, each a transaction of its own: that way a
/// connection may lead through a pooler that lends a server for a transaction only.
final class PostgreSQLConnection {
  private let raw: OpaquePointer
  /// The statements that the server has prepared, by their text.
  private var prepared: [String: String] = [:]
  /// False once a pooler was seen to send the statements of one client to several servers.
  private var mayPrepare = true
  /// Whether the statement that is run changes nothing. Only such a one is ever cancelled: a write might wait to be replicated, and
  /// would be there without being safe.
  var isReading = false
  /// Whether the server may still be at a statement that nobody waits for, which it is told then, or its processes would pile up.
  private var isGivenUp = false

  /// For one attempt to connect, so that requests with less time are not kept waiting by a server that is silent.
  private static let patience = Duration.seconds(2)

  /// Connects, or gives up after two seconds, or at the deadline if that is earlier.
  ///
  /// - Parameter location: a URI as libpq takes it (PostgreSQL manual, section 34.1.1).
  init(_ location: String, deadline: Deadline) throws(PostgreSQLError) {
    guard let raw = PQconnectStart(location) else { throw .connectionLost("There is no memory for a connection.") }
    self.raw = raw
    // What the server remarks would go to the standard error output.
    PQsetNoticeProcessor(raw, { _, _ in }, nil)
    let deadline = min(deadline, .now + Self.patience)
    var status = PGRES_POLLING_WRITING
    while status != PGRES_POLLING_OK {
      guard PQstatus(raw) != CONNECTION_BAD, status != PGRES_POLLING_FAILED else {
        throw .connectionLost(PostgreSQLLocation.sentence(Self.message(of: raw), about: location))
      }
      let events = status == PGRES_POLLING_READING ? POLLIN : POLLOUT
      guard Self.wait(for: Int16(events), on: raw, until: deadline) else {
        throw .connectionLost("The server does not answer.")
      }
      status = PQconnectPoll(raw)
    }
    PQsetnonblocking(raw, 1)
  }

  deinit {
    guard isGivenUp, let request = PQgetCancel(raw) else { return PQfinish(raw) }
    // On a thread of its own, because the library blocks meanwhile. A pooler knows the client by its connection.
    nonisolated(unsafe) let (connection, handle) = (raw, request)
    Thread.start("usher.cancel") {
      var message = [CChar](repeating: 0, count: 256)
      PQcancel(handle, &message, Int32(message.count))
      PQfreeCancel(handle)
      PQfinish(connection)
    }
  }

  /// Runs one statement.
  ///
  /// - Throws: `connectionLost`, after which the connection is of no more use and the statement may have been carried out or
  ///   may be carried out yet; any other error says that it was not.
  func run(
    _ sql: String, _ parameters: [PostgreSQLParameter] = [], deadline: Deadline
  ) throws(PostgreSQLError) -> PostgreSQLRows {
    guard mayPrepare else { return try runUnprepared(sql, parameters, deadline) }
    do throws(PostgreSQLError) {
      let name = try prepare(sql, parameters, deadline)
      try send(parameters) { values, lengths, formats in
        PQsendQueryPrepared(raw, name, Int32(parameters.count), values, lengths, formats, 1)
      }
      return try result(deadline)
    } catch {
      guard error.isAboutPreparedStatement else { throw error }
      mayPrepare = false
      return try runUnprepared(sql, parameters, deadline)
    }
  }

  /// Runs statements without parameters that belong together, in one transaction.
  func runScript(_ sql: String, deadline: Deadline) throws(PostgreSQLError) {
    guard PQsendQuery(raw, sql) == 1 else { throw .connectionLost(Self.message(of: raw)) }
    _ = try result(deadline)
  }

  /// What other connections have sent to a channel that is listened to, as soon as there is something or the time is over; nil where
  /// the connection is lost.
  func notifications(within patience: Duration) -> [String]? {
    var payloads: [String] = []
    _ = Self.wait(for: Int16(POLLIN), on: raw, until: .now + patience)
    guard PQconsumeInput(raw) == 1 else { return nil }
    while let notification = PQnotifies(raw) {
      payloads.append(String(cString: notification.pointee.extra))
      PQfreemem(notification)
    }
    return payloads
  }

  private func runUnprepared(
    _ sql: String, _ parameters: [PostgreSQLParameter], _ deadline: Deadline
  ) throws(PostgreSQLError) -> PostgreSQLRows {
    try send(parameters) { values, lengths, formats in
      let types = parameters.map(\.type)
      return PQsendQueryParams(raw, sql, Int32(parameters.count), types, values, lengths, formats, 1)
    }
    return try result(deadline)
  }

  /// The name says what the statement is: a pooler may hand on a connection on which somebody else has prepared.
  private func prepare(
    _ sql: String, _ parameters: [PostgreSQLParameter], _ deadline: Deadline
  ) throws(PostgreSQLError) -> String {
    if let name = prepared[sql] { return name }
    let name = "usher_\(stableHash(of: sql))"
    let types = parameters.map(\.type)
    guard PQsendPrepare(raw, name, sql, Int32(types.count), types) == 1 else {
      throw .connectionLost(Self.message(of: raw))
    }
    _ = try result(deadline)
    prepared[sql] = name
    return name
  }

  private func send(
    _ parameters: [PostgreSQLParameter],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> Int32
  ) throws(PostgreSQLError) {
    // The server takes 1 GiB at once.
    guard parameters.reduce(0, { $0 + $1.bytes.count }) < 1 << 30 else {
      throw .refused(state: "54000", "What waits to be written is too large.")
    }
    let lengths = parameters.map { Int32($0.bytes.count) }
    let formats = [Int32](repeating: 1, count: parameters.count)
    // One run of bytes for all values, because the pointers into it have to last until the call is over.
    let all = parameters.flatMap(\.bytes) + [0]
    let sent = all.withUnsafeBytes { bytes in
      let start = bytes.baseAddress!.assumingMemoryBound(to: CChar.self)
      var offset = 0
      let values: [UnsafePointer<CChar>?] = parameters.map { parameter in
        defer { offset += parameter.bytes.count }
        return start + offset
      }
      return body(values + [nil], lengths + [0], formats + [0])
    }
    guard sent == 1 else { throw .connectionLost(Self.message(of: raw)) }
  }

  /// Sends what is still to be sent, and waits for the answer.
  private func result(_ deadline: Deadline) throws(PostgreSQLError) -> PostgreSQLRows {
    var rows: PostgreSQLRows?
    var failure: PostgreSQLError?
    while true {
      let unsent = PQflush(raw)
      guard unsent >= 0 else { throw .connectionLost(Self.message(of: raw)) }
      guard PQisBusy(raw) == 1 || unsent == 1 else {
        guard let next = PQgetResult(raw) else { break }
        do throws(PostgreSQLError) {
          rows = try PostgreSQLRows(next)
        } catch {
          failure = error
        }
        continue
      }
      let events = Int16(unsent == 1 ? POLLIN | POLLOUT : POLLIN)
      guard Self.wait(for: events, on: raw, until: deadline) else {
        isGivenUp = isReading
        throw .connectionLost("The server does not answer in time.")
      }
      guard PQconsumeInput(raw) == 1 else { throw .connectionLost(Self.message(of: raw)) }
    }
    guard PQstatus(raw) == CONNECTION_OK else { throw .connectionLost(Self.message(of: raw)) }
    if let failure { throw failure }
    guard let rows else { throw .connectionLost("The server ended the connection.") }
    return rows
  }

  /// Whether the socket was ready in time.
  private static func wait(for events: Int16, on raw: OpaquePointer, until deadline: Deadline) -> Bool {
    var descriptor = pollfd(fd: PQsocket(raw), events: events, revents: 0)
    while true {
      let ready = poll(&descriptor, 1, deadline.remainingMilliseconds)
      if ready > 0 { return true }
      if ready == 0 || errno != EINTR { return false }
    }
  }

  private static func message(of raw: OpaquePointer) -> String {
    PostgreSQLError.sentence(String(cString: PQerrorMessage(raw)))
  }
}

/// The same for one text in every process (FNV-1a).
private func stableHash(of text: String) -> String {
  var hash: UInt64 = 0xCBF2_9CE4_8422_2325
  for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
  return String(hash, radix: 16)
}
