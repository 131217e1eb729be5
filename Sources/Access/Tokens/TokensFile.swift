internal import Logging

/// The tokens of a file, as it is now.
struct TokensFile: TokenVerifier {
  private let file: WatchedFile<TokenTable>

  /// - Parameter interval: how long a change may go unseen.
  init(_ path: String, every interval: Duration = .seconds(1), _ logger: Logger) throws(AccessError) {
    file = try WatchedFile(path, every: interval, logger) { (bytes) throws(AccessError) in
      try TokenTable(bytes, path: path)
    }
  }

  /// It is looked up by its digest, so the time that it takes tells nothing of the tokens there are.
  func principal(of token: String) throws(TokenRefusal) -> Principal {
    guard let principal = file.current().principals[TokenDigest(of: token)] else { throw .invalid }
    return principal
  }
}
