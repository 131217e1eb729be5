internal import Values

/// The stored form of a screen, coordinator or prompt: its name, its version, and its migrations.
struct SchemaDefinition: Sendable {
  let name: String
  let version: Int
  let migrations: [MigrationDefinition]
  /// Throws if an encoded value does not decode.
  let check: @Sendable (Value) throws -> Void

  init<V: Versioned>(_ type: V.Type) {
    name = V.name
    version = V.version
    migrations = V.migrations.map { MigrationDefinition($0) }
    check = { _ = try $0.decode(V.self) }
  }
}

/// A ``Migration`` from an encoded value to an encoded value.
struct MigrationDefinition: Sendable {
  let name: String
  let versions: ClosedRange<Int>
  let migrate: @Sendable (Value) throws -> Value

  init<V: Versioned>(_ migration: Migration<V>) {
    name = migration.name
    versions = migration.versions
    migrate = { try Value(encoding: migration.migrate($0)) }
  }
}

/// A migration with its successor in a registered app.
struct RegisteredMigration: Sendable {
  let definition: MigrationDefinition
  let successor: DeclaredName
}

/// A name that an app declares, by its place in the table of its kind.
struct DeclaredName: Equatable, Sendable {
  let kind: PackedName.Kind
  let index: Int
}

extension AppDefinition {
  func table(of kind: PackedName.Kind) -> NameTable {
    switch kind {
    case .coordinator: coordinatorIndex
    case .screen: screenIndex
    case .prompt: promptIndex
    }
  }

  func crashName(of name: DeclaredName) -> UnsafePointer<UInt8> {
    switch name.kind {
    case .coordinator: coordinators[name.index].definition.crashName.text
    case .screen: screens[name.index].crashName.text
    case .prompt: prompts[name.index].crashName.text
    }
  }

  func schema(of name: DeclaredName) -> SchemaDefinition {
    switch name.kind {
    case .coordinator: coordinators[name.index].definition.schema
    case .screen: screens[name.index].schema
    case .prompt: prompts[name.index].schema
    }
  }
}

/// The name of a coordinator, screen or prompt in packed bytes.
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

/// Declared names with their versions and places, found by the bytes of a packed session without a `String` of them.
struct NameTable: Sendable {
  private let rows: [(name: String, version: Int)]
  /// Places in `rows` by their hashes, open-addressed; -1 for a free slot. Their number is a power of two, at most half
  /// used.
  private let slots: [Int32]

  /// - Precondition: no two schemas have one name.
  init(_ schemas: [SchemaDefinition]) {
    rows = schemas.map { ($0.name, $0.version) }
    var slots = [Int32](repeating: -1, count: 1 << (Int.bitWidth - (rows.count * 2).leadingZeroBitCount))
    for (place, row) in rows.enumerated() {
      var slot = Self.hash(row.name.utf8Span.span) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(place)
    }
    self.slots = slots
  }

  func version(at place: Int) -> Int { rows[place].version }

  subscript(name: String) -> Int? { self[name.utf8Span.span] }

  subscript(name: Span<UInt8>) -> Int? {
    var slot = Self.hash(name) & (slots.count - 1)
    while slots[slot] >= 0 {
      let place = Int(slots[slot])
      if name.hasSameBytes(as: rows[place].name.utf8Span.span) { return place }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// FNV-1a.
  private static func hash(_ name: Span<UInt8>) -> Int {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in name.indices { hash = (hash ^ UInt64(name[index])) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash >> 1)
  }
}
