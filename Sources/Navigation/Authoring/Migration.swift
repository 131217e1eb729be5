public import Values

/// What stored sessions hold by its name: a ``Screen``, a ``Coordinator`` or a ``Prompt``. A stored session outlives the
/// build of the app that made it, so each of these says which version it is, and what of older builds it replaces.
public protocol Versioned: Codable, Sendable {
  /// The name on the wire and in stored sessions: lower-case letters, digits and hyphens; unique in the app.
  static var name: String { get }
  /// The version of the stored properties, at least 1; 1 unless declared.
  ///
  /// Raised when stored values of the old shape no longer decode, or mean something else now. A property that is optional
  /// needs no new version: where it is missing, it is nil.
  static var version: Int { get }
  /// What this type replaces in stored sessions, and how; nothing unless declared.
  ///
  ///     static let version = 2
  ///     static let migrations: [Migration<Self>] = [
  ///       Migration(version: 1) { old in Buy(selectedProduct: try old.decode(OldBuy.self).product) }
  ///     ]
  static var migrations: [Migration<Self>] { get }
}

extension Versioned {
  public static var version: Int { 1 }
  public static var migrations: [Migration<Self>] { [] }
}

/// What a screen, coordinator or prompt replaces in stored sessions, and the author's rule that carries its value over:
/// an older shape under the same name, or one that had another name and is no longer in the app.
///
///     Migration(version: 1) { old in Buy(selectedProduct: old["product"]?.int.map(Int.init) ?? 0) }
///     Migration("purchase", versions: 1...3) { old in Buy(selectedProduct: try old.decode(Purchase.self).item) }
///
/// A rule leads straight to the current version, so each older version that may still be stored has one. Only the bytes
/// of a session decide whether it is used, never the version of the app.
public struct Migration<Successor: Versioned>: Sendable {
  let name: String
  let versions: ClosedRange<Int>
  let migrate: @Sendable (Value) throws -> Successor

  /// Replaces one older version.
  ///
  /// - Parameters:
  ///   - name: what it was called; the successor's own name unless given.
  ///   - version: the older version, at least 1.
  ///   - migrate: makes the successor of the old encoded value. It runs whenever a session is read until the session is
  ///     stored anew, so it depends on the value only. What it throws means that the session cannot be migrated; the
  ///     description of the error is told to the client.
  public init(
    _ name: String = Successor.name, version: Int, migrate: @escaping @Sendable (Value) throws -> Successor
  ) {
    self.init(name, versions: version...version, migrate: migrate)
  }

  /// Replaces several older versions by one rule; see ``init(_:version:migrate:)``.
  public init(
    _ name: String = Successor.name, versions: ClosedRange<Int>, migrate: @escaping @Sendable (Value) throws -> Successor
  ) {
    self.name = name
    self.versions = versions
    self.migrate = migrate
  }
}
