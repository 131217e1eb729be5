internal import Navigation
internal import Sessions

/// A replacement of a session in the form in which many share a statement.
///
/// The server takes half as long for a session in such a statement as for a statement of its own. Most writes of a busy
/// service are replacements that add no work.
struct PostgreSQLReplacement: Sendable {
  let number: Int64
  /// The version that is replaced.
  let previous: Int64
  let version: Int64
  let content: [UInt8]
  /// The id of the piece of work that the replacement removes; -1 without one.
  let work: Int64

  /// The maximum size of a content that shares a statement with others, in bytes. The server limits the size of a
  /// statement.
  private static let contentLimit = 256 << 10

  /// - Parameters:
  ///   - content: the content of the session's successor.
  ///   - removed: the work that the replacement removes.
  /// - Returns: nil if the replacement has to be a statement of its own.
  init?(_ session: StoredSession, _ next: StoredSession, _ content: [UInt8], removing removed: [WorkID] = []) {
    guard removed.count <= 1, content.count <= Self.contentLimit else { return nil }
    number = next.key.number
    previous = session.version.rawValue
    version = next.version.rawValue
    self.content = content
    work = removed.first.map { Int64($0.rawValue) } ?? -1
  }

  /// Returns a statement that makes several replacements. Its rows have the positions of those that were made, which
  /// count from 1.
  static func statement(for replacements: [PostgreSQLReplacement]) -> PostgreSQLStatement {
    PostgreSQLStatement(
      replacingTogether, .integers(replacements.map(\.number)), .integers(replacements.map(\.previous)),
      .integers(replacements.map(\.version)), .byteStrings(replacements.map(\.content)),
      .integers(replacements.map(\.work)))
  }

  // The rows are found by key and written by location, as by a claim, so that the server plans no scan while the tables are
  // small. The arrays are in sub-selects, so that the plan does not depend on their lengths. A row that another
  // transaction writes meanwhile has another location and another version.
  private static let replacingTogether = """
    WITH written AS (
      UPDATE usher_session AS written
      SET version = item.version, earlier = (item.version || earlier)[1:63], content = item.content
      FROM (
        SELECT item.*, location
        FROM unnest((SELECT $1), (SELECT $2), (SELECT $3), (SELECT $4), (SELECT $5))
          WITH ORDINALITY AS item (number, previous, version, content, work, position)
        CROSS JOIN LATERAL (
          SELECT ctid AS location FROM usher_session
          WHERE number = item.number AND version = item.previous AND NOT ended LIMIT 1) AS found) AS item
      WHERE written.ctid = location
      RETURNING position, work, written.number, written.key, written.version),
    removed AS (
      DELETE FROM usher_work AS work
      USING written CROSS JOIN LATERAL (
        SELECT ctid AS location FROM usher_work WHERE session = written.number AND id = written.work LIMIT 1) AS found
      WHERE work.ctid = location)
    SELECT position, \(PostgreSQLRequest.notifyingOfVersion) FROM written
    """
}
