extension Permissions {
  private static let named: [(name: Substring, permission: Permissions)] = [
    ("create", .create), ("act", .act), ("operate", .operate),
  ]

  /// The permissions of a list such as `create,act`; nil where an item of it is none.
  public init?(names list: some StringProtocol) {
    self = []
    for item in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let permission = Permissions(name: item) else { return nil }
      insert(permission)
    }
  }

  /// One permission by its name; nil where none has it.
  init?(name: some StringProtocol) {
    guard let named = Self.named.first(where: { $0.name == name }) else { return nil }
    self = named.permission
  }

  /// The names, such as `create,act`.
  public var names: String {
    Self.named.filter { contains($0.permission) }.map(\.name).joined(separator: ",")
  }

  /// The scopes of OAuth that stand for them (RFC 6749, section 3.3), such as `usher:create usher:act`.
  public var scopes: String {
    Self.named.filter { contains($0.permission) }.map { Self.scopePrefix + $0.name }.joined(separator: " ")
  }

  /// What a scope stands for; nil where it is not of this service, and nothing where it is one that there is not.
  init?(scope: some StringProtocol) {
    guard scope.hasPrefix(Self.scopePrefix) else { return nil }
    self = Permissions(name: scope.dropFirst(Self.scopePrefix.count)) ?? []
  }

  private static let scopePrefix = "usher:"
}
