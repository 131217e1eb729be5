public import Values

/// A type whose values are stored in sessions by its name: a ``Screen``, ``Coordinator``, ``Prompt``, ``Effect`` or
/// ``TimedEvent``. A stored session outlives the build of the app that wrote it, so each type declares its version, and
/// the migrations from older ones.
public protocol Versioned: Codable, Sendable {
  /// The name on the wire, in stored sessions and in the history: lower-case letters, digits and hyphens; unique in the
  /// app.
  static var name: String { get }
  /// The version of the stored properties, at least 1; 1 unless declared.
  ///
  /// Raise it when stored values of the old shape no longer decode, or mean something else now. A new optional property
  /// needs no new version: in an old value it is nil.
  static var version: Int { get }
  /// The migrations from older versions and from removed types; none unless declared.
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

/// A rule that makes a value of the current version from a stored value of an older one: of an older shape under the
/// same name, or of a type that had another name and is no longer in the app.
///
///     Migration(version: 1) { old in Buy(selectedProduct: old["product"]?.int.map(Int.init) ?? 0) }
///     Migration("purchase", versions: 1...3) { old in Buy(selectedProduct: try old.decode(Purchase.self).item) }
///
/// A migration leads straight to the current version, so each older version that may still be stored has one. The bytes
/// of a session alone decide whether it runs, never the version of the app.
public struct Migration<Successor: Versioned>: Sendable {
  let definition: MigrationDefinition

  /// Migrates from one older version.
  ///
  /// - Parameters:
  ///   - name: the name of the older type; the name of the successor unless given.
  ///   - version: the older version, at least 1.
  ///   - migrate: makes the successor of the old encoded value. The closure runs at every read of a session until the
  ///     session is stored anew, so it depends on the value only. If the closure throws, the session cannot be
  ///     migrated, and clients see the description of the error.
  public init(
    _ name: String = Successor.name, version: Int, migrate: @escaping @Sendable (Value) throws -> Successor
  ) {
    self.init(name, versions: version...version, migrate: migrate)
  }

  /// Migrates from several older versions; see ``init(_:version:migrate:)``.
  public init(
    _ name: String = Successor.name, versions: ClosedRange<Int>,
    migrate: @escaping @Sendable (Value) throws -> Successor
  ) {
    definition = MigrationDefinition(name: name, versions: versions, migrate: { try Value(encoding: migrate($0)) })
  }
}
