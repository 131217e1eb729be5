/// The operator's settings of authentication and permissions.
public struct AccessSettings: Sendable {
  /// The way in which principals authenticate themselves.
  public enum Method: Sendable, Equatable {
    /// No authentication.
    case none
    /// By tokens, whose SHA-256 digests are in this file.
    case tokens(file: String)
    /// By JSON Web Tokens, which are signed with a key of the JWK Set in this file (RFC 7517).
    case jwt(file: String)
  }

  public var method = Method.none
  /// The required `iss` of a JSON Web Token. Mandatory with the method `jwt`, and invalid with any other.
  public var jwtIssuer: String?
  /// A required member of `aud` of a JSON Web Token. Mandatory with the method `jwt`, and invalid with any other.
  public var jwtAudience: String?
  /// The names of the claims of a JSON Web Token that apps receive. Invalid with any method but `jwt`.
  public var jwtClaims: [String] = []
  /// The permissions of a request without a token, by default none. Never `operate`, and invalid with the method
  /// `none`.
  public var anonymous: Permissions?

  public init() {}

  /// Validates the settings.
  ///
  /// - Throws: ``AccessError`` for a combination of settings that is invalid.
  public func check() throws(AccessError) {
    if case .jwt = method {
      if jwtIssuer == nil {
        throw AccessError("auth jwt:FILE requires jwt-issuer. Set it to the iss claim of the tokens.")
      }
      if jwtAudience == nil {
        throw AccessError("auth jwt:FILE requires jwt-audience. Set it to the aud claim of the tokens.")
      }
      // The character ends the issuer in the name of a principal.
      if jwtIssuer?.contains("|") == true { throw AccessError("jwt-issuer must not contain a vertical bar (|).") }
    } else {
      if jwtIssuer != nil { throw AccessError("jwt-issuer requires auth jwt:FILE.") }
      if !jwtClaims.isEmpty { throw AccessError("jwt-claims requires auth jwt:FILE.") }
      if jwtAudience != nil { throw AccessError("jwt-audience requires auth jwt:FILE.") }
    }
    if method == .none, anonymous != nil {
      throw AccessError("anonymous is set, but auth is none, which gives every request all permissions.")
    }
    if anonymous?.isSubset(of: [.create, .act]) == false {
      throw AccessError("anonymous must not contain operate or signal.")
    }
  }
}

extension AccessSettings.Method: LosslessStringConvertible {
  /// Parses `none`, `tokens:FILE` or `jwt:FILE`; nil for any other text.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1).map { String($0) }
    switch (parts.first, parts.dropFirst().first) {
    case ("none", nil) where text == "none": self = .none
    case ("tokens", let path?): self = .tokens(file: path)
    case ("jwt", let path?): self = .jwt(file: path)
    default: return nil
    }
  }

  public var description: String {
    switch self {
    case .none: "none"
    case .tokens(let path): "tokens:\(path)"
    case .jwt(let path): "jwt:\(path)"
    }
  }
}

/// An error in the settings or the files of access, as one or two sentences that contain no secret.
public struct AccessError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  package init(_ description: String) { self.description = description }
}
