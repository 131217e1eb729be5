internal import Sessions

/// The statements for the parts of sessions that their contents lack. Here these are blobs.
extension PostgreSQLRequest {
  /// The SQL of the blobs of a session, as an array. The array is null for a content that lacks nothing.
  static let blobs = """
    CASE WHEN get_byte(substring(content FROM \(StoredSession.sectionsOffset + 1) FOR 1) || '\\x00', 0)
      & \(StoredSession.blobsBit) <> 0 THEN
      ARRAY(SELECT part.content FROM usher_part AS part WHERE part.session = number) END
    """

  /// Changes the parts of a session if the statement before has written it.
  static func changingParts(
    of session: StoredSession, removing removed: [[UInt8]], adding added: [SessionPart]
  ) -> PostgreSQLStatement {
    PostgreSQLStatement(
      """
      WITH written AS (SELECT number FROM usher_session WHERE number = $1 AND version = $2 AND NOT ended),
      removed AS (DELETE FROM usher_part USING written WHERE session = number AND key = ANY ((SELECT $3)::bytea[]))
      INSERT INTO usher_part (session, key, content)
      SELECT number, item.* FROM written, unnest((SELECT $4), (SELECT $5)) AS item ON CONFLICT DO NOTHING
      """, .integer(session.key.number), .integer(session.version.rawValue), .byteStrings(removed),
      .byteStrings(added.map(\.key)), .byteStrings(added.map(\.content)))
  }

  /// The SQL that removes the parts of ended sessions.
  ///
  /// - Parameter query: the query with the numbers of the sessions.
  static func removingParts(of query: String) -> String {
    "DELETE FROM usher_part WHERE session IN (SELECT number FROM \(query))"
  }
}
