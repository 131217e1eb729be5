internal import Navigation
internal import Sessions
internal import Values

/// The statements for signals: those that queue in the row of the work that waits for them, and those that are received
/// under a key.
extension PostgreSQLRequest {
  /// The SQL that puts a signal behind those that wait.
  static func appending(_ signal: String) -> String {
    """
    progress = coalesce(progress, '') || \(signal),
    due_at = CASE WHEN coalesce(length(progress), 0) = 0 THEN floor(\(now))::int8 ELSE due_at END
    """
  }

  /// The SQL of the size of the first signal: its digits, and the number that they make.
  static let firstSignalSize = """
    (\(WorkProgress.sizeDigits)
      + coalesce(encode(substring(progress FROM 1 FOR \(WorkProgress.sizeDigits)), 'escape'), '0')::int4)
    """

  /// The SQL that replaces so many bytes of signals, after which the work waits for the next one or is due.
  static func waiting(after size: String, with signals: String = "''::bytea") -> String {
    """
    progress = nullif(\(signals) || substring(coalesce(progress, '') FROM \(size) + 1), ''),
    due_at = CASE WHEN length(\(signals)) > 0 OR length(progress) > \(size)
      THEN floor(\(now))::int8 ELSE \(Timestamp.never.milliseconds) END
    """
  }

  static func delivering(
    _ event: [UInt8], _ work: WorkID, _ session: SessionKey, replacing: Bool
  ) -> PostgreSQLStatement {
    let parameters: [PostgreSQLParameter] = [
      .integer(session.number), .integer(Int64(work.rawValue)), .bytes(event),
    ]
    if replacing { return PostgreSQLStatement(replacingEvent, parameters) }
    return PostgreSQLStatement(appendingEvent, parameters + [.bytes(WorkProgress.identity(ofSignal: event))])
  }

  private static let replacingEvent = """
    UPDATE usher_work SET progress = $3, lane = '', due_at = floor(\(now))::int8, claims = 0
    WHERE session = $1 AND id = $2 AND lease = 0 AND error IS NOT NULL
    """

  private static let appendingEvent = """
    UPDATE usher_work SET \(appending("$3"))
    WHERE session = $1 AND id = $2 AND coalesce(length(progress), 0) < \(WorkProgress.queueLimit)
      AND coalesce(position($4 IN progress), 0) = 0
    """

  static func settling(_ work: ClaimedWork, with signals: [UInt8]) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      UPDATE usher_work
      SET lease = 0, claims = 0, attempts = 0, error = NULL, wait = NULL,
        waits_since = NULL, \(waiting(after: "$4::int4", with: "$5::bytea"))
      WHERE session = $1 AND id = $2 AND lease = $3
      """,
      columns(of: work) + [.integer(Int64(WorkProgress.firstSignalSize(in: work.progress))), .bytes(signals)])
  }

  private static let memory = "\(milliseconds(KeyedSignal.memory))"

  /// Adds a signal that is held, unless it is known or too many are held.
  static func holding(_ signal: KeyedSignal) -> PostgreSQLStatement {
    PostgreSQLStatement(
      holding,
      columns(of: signal) + [.bytes(signal.event), .integer(signal.hold.map(milliseconds) ?? 0)])
  }

  private static let holding = """
    WITH clock AS (SELECT floor(\(now))::int8 AS time),
    held AS (
      SELECT count(*) AS count, coalesce(sum(length(event)), 0) AS size,
        coalesce(sum(length(event)) FILTER (WHERE key = $1), 0) AS size_of_key
      FROM usher_signal, clock WHERE held_until > time)
    INSERT INTO usher_signal (key, delivery, arrived_at, forget_at, held_until, event)
    SELECT $1, $2, time, time + \(memory), time + $4, $3 FROM clock, held
    WHERE count < \(KeyedSignal.holdLimit) AND size < \(KeyedSignal.holdSizeLimit)
      AND size_of_key < \(WorkProgress.queueLimit)
    ON CONFLICT (key, delivery) DO UPDATE
    SET receivers = NULL, arrived_at = excluded.arrived_at, forget_at = excluded.forget_at,
      held_until = excluded.held_until, event = excluded.event
    WHERE usher_signal.receivers IS NULL OR usher_signal.forget_at <= excluded.arrived_at
    """

  static func unholding(_ signal: KeyedSignal) -> PostgreSQLStatement {
    PostgreSQLStatement(
      "DELETE FROM usher_signal WHERE key = $1 AND delivery = $2 AND receivers IS NULL", columns(of: signal))
  }

  /// Delivers a signal to all work that waits under its key. The rows are locked in one order, so that two signals do
  /// not deadlock. The update looks for them by key, because a write that applies an earlier signal changes their ids.
  static func delivering(_ signal: KeyedSignal) -> PostgreSQLStatement {
    PostgreSQLStatement(
      deliveringKeyed,
      columns(of: signal) + [
        .bytes(signal.event), .integer(signal.hold == nil ? 0 : 1),
        .bytes(WorkProgress.identity(ofSignal: signal.event)),
      ])
  }

  private static let deliveringKeyed = """
    WITH clock AS (SELECT floor(\(now))::int8 AS time),
    known AS (SELECT receivers FROM usher_signal, clock WHERE key = $1 AND delivery = $2 AND forget_at > time),
    waiting AS (
      SELECT coalesce(length(progress), 0) AS size FROM usher_work
      WHERE signal = $1 ORDER BY session, id LIMIT \(KeyedSignal.receiverLimit + 1) FOR UPDATE),
    found AS (SELECT count(*) AS receivers, coalesce(max(size), 0) AS size FROM waiting),
    accepted AS (
      SELECT receivers FROM found
      WHERE receivers <= \(KeyedSignal.receiverLimit) AND size < \(WorkProgress.queueLimit)
        AND NOT EXISTS (SELECT FROM known WHERE receivers IS NOT NULL) AND ($4 = 0 OR EXISTS (SELECT FROM known))),
    delivered AS (
      UPDATE usher_work AS work SET \(appending("$3")) FROM accepted
      WHERE signal = $1 AND coalesce(position($5 IN progress), 0) = 0),
    recorded AS (
      INSERT INTO usher_signal (key, delivery, receivers, arrived_at, forget_at)
      SELECT $1, $2, receivers, time, time + \(memory) FROM accepted, clock WHERE receivers > 0 OR $4 = 1
      ON CONFLICT (key, delivery) DO UPDATE SET receivers = excluded.receivers, forget_at = excluded.forget_at)
    SELECT (SELECT receivers FROM known), (SELECT receivers FROM accepted), receivers FROM found
    """

  static func findingSignals(for key: SignalKey) -> PostgreSQLStatement {
    PostgreSQLStatement(
      "SELECT event FROM usher_signal WHERE key = $1 AND held_until > floor(\(now))::int8 ORDER BY arrived_at",
      .bytes(key.bytes))
  }

  static let releasingSignals = PostgreSQLStatement(
    """
    UPDATE usher_signal SET held_until = NULL, event = NULL WHERE (key, delivery) IN (
      SELECT key, delivery FROM usher_signal WHERE held_until <= floor(\(now))::int8
      LIMIT \(StoreLimits.sweepBatch) FOR UPDATE SKIP LOCKED)
    """)

  static let removingSignals = PostgreSQLStatement(
    """
    DELETE FROM usher_signal WHERE (key, delivery) IN (
      SELECT key, delivery FROM usher_signal WHERE forget_at <= floor(\(now))::int8
      LIMIT \(StoreLimits.sweepBatch) FOR UPDATE SKIP LOCKED)
    """)

  private static func columns(of signal: KeyedSignal) -> [PostgreSQLParameter] {
    [.bytes(signal.key.bytes), .integer(Int64(bitPattern: signal.delivery.rawValue))]
  }
}

extension PostgreSQLRows {
  func heldSignals() -> [[UInt8]] { (0..<count).map { bytes($0, 0) } }

  func keyedDelivery() -> KeyedDelivery {
    if !isNull(0, 0) { return .repeated(Int(integer(0, 0))) }
    if !isNull(0, 1) { return .delivered(Int(integer(0, 1))) }
    return integer(0, 2) > KeyedSignal.receiverLimit ? .tooMany : .full
  }
}
