/// What packed bytes call a coordinator, screen or prompt.
public struct PackedName: Sendable, Equatable, CustomStringConvertible {
  public enum Kind: String, Sendable { case coordinator, screen, prompt }

  public let kind: Kind
  /// The declared name.
  public let name: String
  /// The ``Versioned/version`` of the type in the build that wrote the bytes; at least 1.
  public let version: Int

  public init(_ kind: Kind, _ name: String, version: Int) {
    self.kind = kind
    self.name = name
    self.version = version
  }

  /// Such as `screen buy`.
  public var description: String { "\(kind.rawValue) \(name)" }
}
