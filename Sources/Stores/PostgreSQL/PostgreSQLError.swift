/// What went wrong with a statement; the sentences are for the operator.
enum PostgreSQLError: Error {
  /// There is no connection, or none any more. Whether a statement that was sent was carried out is not known.
  case connectionLost(String)
  /// The server refused the statement, and nothing of it was done (PostgreSQL manual, appendix A).
  case refused(state: String, String)

  /// Refused only because somebody else was at the same rows at the same time: serialization failure, deadlock.
  var isCollision: Bool {
    if case .refused("40001", _) = self { true } else if case .refused("40P01", _) = self { true } else { false }
  }

  /// Refused because a page of a table or of an index is damaged (PostgreSQL manual, appendix A, `data_corrupted` and
  /// `index_corrupted`).
  var isDamage: Bool {
    if case .refused("XX001", _) = self { true } else if case .refused("XX002", _) = self { true } else { false }
  }

  /// Refused because of the state that the connection is in, or the server that it leads to: one that can only be read, is out of
  /// resources, or had its tables changed under a prepared statement. On another connection it may succeed.
  var isOfConnection: Bool {
    guard case .refused(let state, _) = self else { return true }
    return state == "25006" || state == "0A000" || ["53", "57", "XX"].contains(state.prefix(2))
  }

  /// What a pooler makes of prepared statements: one that does not exist, or exists already.
  var isAboutPreparedStatement: Bool {
    if case .refused("26000", _) = self { true } else if case .refused("42P05", _) = self { true } else { false }
  }

  var sentence: String {
    switch self {
    case .connectionLost(let sentence), .refused(_, let sentence): sentence
    }
  }

  /// A message of the library in one line.
  static func sentence(_ message: String) -> String {
    message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
