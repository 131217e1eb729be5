internal import Foundation

/// The credentials of Amazon S3, or of a server with the same interface.
public struct S3Credentials: Sendable {
  let accessKey: String
  let secret: String
  /// The token of temporary credentials; nil for permanent ones.
  let sessionToken: String?

  public init(accessKey: String, secret: String, sessionToken: String? = nil) {
    self.accessKey = accessKey
    self.secret = secret
    self.sessionToken = sessionToken
  }

  /// Reads the variables `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`, or else the profile
  /// `AWS_PROFILE` (`default` without it) of the file `AWS_SHARED_CREDENTIALS_FILE`.
  ///
  /// - Throws: ``FileStoreError/unavailable(_:)`` if neither has credentials.
  public init(environment: [String: String]) throws(FileStoreError) {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let accessKey = value("AWS_ACCESS_KEY_ID"), let secret = value("AWS_SECRET_ACCESS_KEY") {
      self.init(accessKey: accessKey, secret: secret, sessionToken: value("AWS_SESSION_TOKEN"))
    } else if let path = value("AWS_SHARED_CREDENTIALS_FILE") {
      try self.init(path: path, profile: value("AWS_PROFILE") ?? "default")
    } else {
      throw .unavailable(
        "S3 needs credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE.")
    }
  }

  private init(path: String, profile: String) throws(FileStoreError) {
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw .unavailable(
        "The file \(path) with the credentials of S3 cannot be read. Check AWS_SHARED_CREDENTIALS_FILE.")
    }
    var values: [String: String] = [:]
    var section = ""
    for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("["), line.hasSuffix("]") {
        section = line.dropFirst().dropLast().trimmingCharacters(in: .whitespaces)
      } else if section == profile, !line.hasPrefix("#"), let equals = line.firstIndex(of: "=") {
        let name = line[..<equals].trimmingCharacters(in: .whitespaces)
        values[name] = line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces)
      }
    }
    guard let accessKey = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
      throw .unavailable("The file \(path) has no credentials of S3 for the profile \(profile).")
    }
    self.init(accessKey: accessKey, secret: secret, sessionToken: values["aws_session_token"])
  }
}

extension S3Credentials: CustomStringConvertible, CustomReflectable {
  /// The text of logs, without the credentials.
  public var description: String { "credentials of S3" }

  public var customMirror: Mirror { Mirror(self, children: []) }
}
