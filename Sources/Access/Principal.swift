/// Who makes a request.
public struct Principal: Sendable, Hashable {
  /// What tells it from every other one; nil for somebody who did not say.
  public let name: String?
  public let permissions: Permissions

  public init(name: String?, permissions: Permissions) {
    self.name = name
    self.permissions = permissions
  }
}
