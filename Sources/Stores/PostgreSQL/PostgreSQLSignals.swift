internal import Navigation
internal import Sessions
internal import Values

/// The requests for signals: those that wait for work, and those that are received under a key.
extension PostgreSQLRequest {
  /// The SQL of the progress that a claim returns: that of the work or, without one, the first signal that waits.
  static let firstProgress = """
    coalesce(work.progress, CASE WHEN work.queue_size > 0 THEN (
      SELECT event FROM usher_queued_signal AS queue
      WHERE queue.session = work.session AND queue.address = work.address ORDER BY position LIMIT 1) END)
    """

  /// The SQL of the assignments that make room for a signal behind those that wait.
  private static func appending(_ signal: String) -> String {
    """
    queue_size = queue_size + length(\(signal)),
    due_at = CASE WHEN queue_size = 0 AND progress IS NULL THEN floor(\(now))::int8 ELSE due_at END
    """
  }

  /// The SQL of the delivery, if a signal with it waits for `work`; otherwise null. A look-up, and not a condition with
  /// EXISTS, for which the server might plan a scan.
  private static func repetition(of delivery: String) -> String {
    """
    CASE WHEN work.queue_size > 0 THEN (
      SELECT queue.delivery FROM usher_queued_signal AS queue
      WHERE queue.session = work.session AND queue.address = work.address AND queue.delivery = \(delivery) LIMIT 1) END
    """
  }

  /// The SQL of the first signal that waits for a session's work, with its position and size; no row if a look-up of held
  /// signals comes before it.
  static func firstSignal(of id: String) -> String {
    """
    first AS (
      SELECT position, length(event) AS size
      FROM usher_work AS work CROSS JOIN LATERAL (
        SELECT position, event FROM usher_queued_signal AS queue
        WHERE queue.session = work.session AND queue.address = work.address ORDER BY position LIMIT 1) AS queue
      WHERE work.session = $1 AND work.id = \(id) AND work.progress IS NULL)
    """
  }

  /// The SQL of the assignments that end a lease and remove the first entry of a queue: a look-up of held signals, or the
  /// signal in `first`. The work waits for the next one then, or is due.
  ///
  /// - Parameter growth: the SQL of the size of signals that are added.
  static func settling(adding growth: String = "0") -> String {
    let size = "queue_size - coalesce((SELECT size FROM first), 0) + \(growth)"
    return """
      lease = 0, claims = 0, attempts = 0, error = NULL, wait = NULL, waits_since = NULL, progress = NULL,
      queue_size = \(size),
      due_at = CASE WHEN \(size) > 0 THEN floor(\(now))::int8 ELSE \(Timestamp.never.milliseconds) END
      """
  }

  /// The SQL that removes the signal in `first` from the queue of the work that a query has settled.
  static func removingFirst(of settled: String) -> String {
    """
    DELETE FROM usher_queued_signal AS queue USING \(settled) AS settled, first
    WHERE queue.session = settled.session AND queue.address = settled.address AND queue.position = first.position
    """
  }

  static func deliver(_ signal: QueuedSignal, _ work: WorkID, _ session: SessionKey) -> PostgreSQLRequest {
    write(work, of: session, delivering, [signal.delivery.parameter, .bytes(signal.event)])
  }

  // The server checks the size again if another transaction has changed the work meanwhile. A repetition that another
  // process takes at the same time is not found, and waits as well; its session applies the signal once.
  private static let delivering = """
    WITH waiting AS (
      SELECT queue_size, \(repetition(of: "$3")) AS repetition FROM usher_work AS work
      WHERE session = $1 AND id = $2 AND address IS NOT NULL),
    accepted AS (
      UPDATE usher_work SET \(appending("$4"))
      WHERE session = $1 AND id = $2 AND queue_size < \(QueuedSignal.sizeLimit)
        AND EXISTS (SELECT FROM waiting WHERE repetition IS NULL)
      RETURNING session, address),
    queued AS (
      INSERT INTO usher_queued_signal (session, address, delivery, event) SELECT session, address, $3, $4 FROM accepted)
    SELECT EXISTS (SELECT FROM accepted), repetition IS NOT NULL, queue_size >= \(QueuedSignal.sizeLimit) FROM waiting
    """

  static func settle(_ work: ClaimedWork, adding held: [QueuedSignal]) -> PostgreSQLRequest {
    write(
      work, settling, .integer(work.progress == nil ? 0 : 1),
      .integers(held.map { Int64(bitPattern: $0.delivery.rawValue) }), .byteStrings(held.map(\.event)))
  }

  private static let settling = """
    WITH \(firstSignal(of: "$2 AND $4 = 1")),
    held AS (SELECT * FROM unnest((SELECT $5), (SELECT $6)) WITH ORDINALITY AS item (delivery, event, position)),
    settled AS (
      UPDATE usher_work SET \(settling(adding: "(SELECT coalesce(sum(length(event)), 0) FROM held)"))
      WHERE session = $1 AND id = $2 AND lease = $3 RETURNING session, address),
    removed AS (\(removingFirst(of: "settled")))
    INSERT INTO usher_queued_signal (session, address, position, delivery, event)
    SELECT session, address,
      (SELECT coalesce(min(position), 1) FROM usher_queued_signal AS queue
        WHERE queue.session = settled.session AND queue.address = settled.address)
        - (SELECT count(*) FROM held) + held.position - 1, delivery, event
    FROM settled, held
    """

  private static let memory = "\(milliseconds(KeyedSignal.memory))"

  /// Adds a signal that is held, unless it is known or too many are held.
  static func hold(_ keyed: KeyedSignal) -> PostgreSQLRequest {
    write(keyed, holding, .bytes(keyed.signal.event), .integer(keyed.hold.map(milliseconds) ?? 0))
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
      AND size_of_key < \(QueuedSignal.sizeLimit)
    ON CONFLICT (key, delivery) DO UPDATE
    SET receivers = NULL, arrived_at = excluded.arrived_at, forget_at = excluded.forget_at,
      held_until = excluded.held_until, event = excluded.event
    WHERE usher_signal.receivers IS NULL OR usher_signal.forget_at <= excluded.arrived_at
    """

  /// Removes a signal that is held and was not delivered.
  static func unhold(_ keyed: KeyedSignal) -> PostgreSQLRequest {
    write(keyed, "DELETE FROM usher_signal WHERE key = $1 AND delivery = $2 AND receivers IS NULL")
  }

  /// Delivers a signal to all work that waits under its key. The rows are locked in one order, so that two signals do
  /// not deadlock. The update looks for them by key, because a write that applies an earlier signal changes their ids.
  static func deliverKeyed(_ keyed: KeyedSignal) -> PostgreSQLRequest {
    write(keyed, deliveringKeyed, .bytes(keyed.signal.event), .integer(keyed.hold == nil ? 0 : 1))
  }

  private static let deliveringKeyed = """
    WITH clock AS (SELECT floor(\(now))::int8 AS time),
    known AS (SELECT receivers FROM usher_signal, clock WHERE key = $1 AND delivery = $2 AND forget_at > time),
    waiting AS (
      SELECT queue_size AS size FROM usher_work
      WHERE signal = $1 ORDER BY session, id LIMIT \(KeyedSignal.receiverLimit + 1) FOR UPDATE),
    found AS (SELECT count(*) AS receivers, coalesce(max(size), 0) AS size FROM waiting),
    accepted AS (
      SELECT receivers FROM found
      WHERE receivers <= \(KeyedSignal.receiverLimit) AND size < \(QueuedSignal.sizeLimit)
        AND NOT EXISTS (SELECT FROM known WHERE receivers IS NOT NULL) AND ($4 = 0 OR EXISTS (SELECT FROM known))),
    delivered AS (
      UPDATE usher_work AS work SET \(appending("$3")) FROM accepted
      WHERE signal = $1 AND \(repetition(of: "$2")) IS NULL
      RETURNING session, address),
    queued AS (
      INSERT INTO usher_queued_signal (session, address, delivery, event) SELECT session, address, $2, $3 FROM delivered),
    recorded AS (
      INSERT INTO usher_signal (key, delivery, receivers, arrived_at, forget_at)
      SELECT $1, $2, receivers, time, time + \(memory) FROM accepted, clock WHERE receivers > 0 OR $4 = 1
      ON CONFLICT (key, delivery) DO UPDATE SET receivers = excluded.receivers, forget_at = excluded.forget_at)
    SELECT (SELECT receivers FROM known), (SELECT receivers FROM accepted), receivers FROM found
    """

  static func heldSignals(_ key: SignalKey) -> PostgreSQLRequest {
    PostgreSQLRequest(
      .lookUp,
      "SELECT delivery, event FROM usher_signal WHERE key = $1 AND held_until > floor(\(now))::int8 ORDER BY arrived_at",
      .bytes(key.bytes))
  }

  /// Removes the content of up to ``StoreLimits/sweepBatch`` signals that are not held any more.
  static let releaseSignals = PostgreSQLRequest(
    .bulkWrite,
    """
    UPDATE usher_signal SET held_until = NULL, event = NULL
    \(batch(of: "usher_signal", "key, delivery", "held_until <= floor(\(now))::int8"))
    """)

  /// Removes up to ``StoreLimits/sweepBatch`` signals whose repetitions need not be recognised any more.
  static let removeSignals = PostgreSQLRequest(
    .bulkWrite,
    "DELETE FROM usher_signal \(batch(of: "usher_signal", "key, delivery", "forget_at <= floor(\(now))::int8"))")

  /// A write of a signal. The first two parameters are its key and its delivery.
  private static func write(
    _ keyed: KeyedSignal, _ sql: String, _ parameters: PostgreSQLParameter...
  ) -> PostgreSQLRequest {
    let columns: [PostgreSQLParameter] = [.bytes(keyed.key.bytes), keyed.signal.delivery.parameter]
    return PostgreSQLRequest(.bulkWrite, PostgreSQLStatement(sql, columns + parameters))
  }
}

extension SignalDelivery {
  fileprivate var parameter: PostgreSQLParameter { .integer(Int64(bitPattern: rawValue)) }
}

extension PostgreSQLRow {
  var workDelivery: WorkDelivery {
    if integer(0) == 1 { return .delivered }
    if integer(1) == 1 { return .repeated }
    return integer(2) == 1 ? .full : .missing
  }

  var keyedDelivery: KeyedDelivery {
    if let receivers = optionalInteger(0) { return .repeated(Int(receivers)) }
    if let receivers = optionalInteger(1) { return .delivered(Int(receivers)) }
    return integer(2) > KeyedSignal.receiverLimit ? .tooMany : .full
  }
}
