public import Values

/// The caller of a request. It is an object, because each request copies it several times.
public final class Principal: Sendable, Equatable {
  /// The unique name of the caller; nil for an anonymous one.
  public let name: String?
  public let permissions: Permissions
  /// The `sub` of a JSON Web Token, or the name of a token; nil for an anonymous caller.
  public let subject: String?
  /// The claims that apps receive, as an object.
  public let claims: Value
  /// The time at which the token expires, in seconds since 1970; nil if it does not expire.
  public let expiry: Double?

  public init(
    name: String?, permissions: Permissions, subject: String? = nil, claims: Value = .emptyObject,
    expiry: Double? = nil
  ) {
    self.name = name
    self.permissions = permissions
    self.subject = subject
    self.claims = claims
    self.expiry = expiry
  }

  public static func == (a: Principal, b: Principal) -> Bool {
    a.name == b.name && a.permissions == b.permissions && a.subject == b.subject && a.claims == b.claims
      && a.expiry == b.expiry
  }
}

/// The permissions of a principal.
public struct Permissions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The permission to create sessions.
  public static let create = Permissions(rawValue: 1)
  /// The permission to use sessions: the principal's own, and those without an owner.
  public static let act = Permissions(rawValue: 2)
  /// The permission to read the metrics and the console, which shows the sessions of every owner.
  public static let operate = Permissions(rawValue: 4)

  /// The permission to send signals to every session that waits under a key.
  public static let signal = Permissions(rawValue: 8)

  public static let all: Permissions = [.create, .act, .operate, .signal]

  // MARK: - Permissions as text

  private static let named: [(name: Substring, permission: Permissions)] = [
    ("create", .create), ("act", .act), ("operate", .operate), ("signal", .signal),
  ]

  private static let scopePrefix = "usher:"

  /// The error text for an invalid list.
  public static let rule =
    "Permissions are a list of create, act, operate and signal, separated by commas without blanks."

  /// Parses a list such as `create,act`; nil if an item is not a permission.
  public init?(names list: some StringProtocol) {
    self = []
    for item in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let permission = Permissions(name: item) else { return nil }
      insert(permission)
    }
  }

  /// Parses the name of one permission; nil for any other text.
  init?(name: some StringProtocol) {
    guard let named = Self.named.first(where: { $0.name == name }) else { return nil }
    self = named.permission
  }

  /// Parses an OAuth scope. Nil for a scope of another service; no permissions for an unknown scope of this one.
  init?(scope: some StringProtocol) {
    guard scope.hasPrefix(Self.scopePrefix) else { return nil }
    self = Permissions(name: scope.dropFirst(Self.scopePrefix.count)) ?? []
  }

  /// The names of the permissions, such as `create,act`.
  public var names: String {
    Self.named.filter { contains($0.permission) }.map(\.name).joined(separator: ",")
  }

  /// The OAuth scopes of the permissions (RFC 6749, section 3.3), such as `usher:create usher:act`.
  public var scopes: String {
    Self.named.filter { contains($0.permission) }.map { Self.scopePrefix + $0.name }.joined(separator: " ")
  }
}
