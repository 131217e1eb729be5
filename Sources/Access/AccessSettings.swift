/// What an operator decides about access.
public struct AccessSettings: Sendable {
  public enum Method: Sendable, Equatable {
    /// Nobody is asked who they are.
    case none
    /// By the tokens whose SHA-256 is in this file.
    case tokens(file: String)
    /// By JSON Web Tokens that are signed with a key of this set (RFC 7517).
    case jwt(file: String)
  }

  public var method = Method.none
  /// What `iss` of a JSON Web Token has to be; has to be given for them, and for them only.
  public var jwtIssuer: String?
  /// What has to be among `aud` of a JSON Web Token; has to be given for them, and for them only.
  public var jwtAudience: String?
  /// What may be done without a token: nothing unless set, which it may be only where anybody is asked. Never to operate.
  public var anonymous: Permissions?

  public init() {}

  /// - Throws: which of them do not go together.
  public func check() throws(AccessError) {
    if case .jwt = method {
      if jwtIssuer == nil { throw AccessError("auth is jwt:FILE, which needs jwt-issuer.") }
      if jwtAudience == nil { throw AccessError("auth is jwt:FILE, which needs jwt-audience.") }
      // It ends the issuer in the names of principals.
      if jwtIssuer?.contains("|") == true { throw AccessError("jwt-issuer must not have a stroke (|) in it.") }
    } else {
      if jwtIssuer != nil { throw AccessError("jwt-issuer is set, but auth is not jwt:FILE.") }
      if jwtAudience != nil { throw AccessError("jwt-audience is set, but auth is not jwt:FILE.") }
    }
    if method == .none, anonymous != nil {
      throw AccessError("anonymous is set, but auth is none, so that everybody may do everything.")
    }
    if anonymous?.contains(.operate) == true { throw AccessError("anonymous must not be operate.") }
  }
}

extension AccessSettings.Method: LosslessStringConvertible {
  /// `none`, `tokens:FILE` or `jwt:FILE`; nil for anything else.
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
