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
