package import Values

/// The stored form of a screen, coordinator, prompt, effect, timed event or signal: its name, its version, and its
/// migrations.
package final class SchemaDefinition: Sendable {
  let name: String
  let version: Int
  let migrations: [MigrationDefinition]
  /// Returns an encoded value that another version of the app wrote as one of this version. Throws if it cannot be.
  let adapt: @Sendable (Value) throws -> Value
  let crashName: CrashName
  private let type: ObjectIdentifier?

  /// The identity of the Swift type, or of this object.
  var declaration: ObjectIdentifier { type ?? ObjectIdentifier(self) }

  /// - Parameter type: the Swift type; nil for a declaration from files. Each object is then a declaration of its own.
  package init(
    _ name: String, type: ObjectIdentifier? = nil, version: Int = 1, migrations: [MigrationDefinition] = [],
    adapt: @escaping @Sendable (Value) throws -> Value
  ) {
    (self.name, self.type, self.version) = (name, type, version)
    (self.migrations, self.adapt) = (migrations, adapt)
    crashName = CrashName(name)
  }
}

/// A timed event has nothing but its stored form.
extension SchemaDefinition: Declaration {
  var schema: SchemaDefinition { self }
}

/// A ``Migration`` from an encoded value to an encoded value.
package struct MigrationDefinition: Sendable {
  let name: String
  let versions: ClosedRange<Int>
  let migrate: @Sendable (Value) throws -> Value
}

/// A migration with its successor in a registered app.
struct RegisteredMigration: Sendable {
  let definition: MigrationDefinition
  let successor: DeclaredName
}

/// A name that an app declares, by its index in the table of its kind.
struct DeclaredName: Equatable, Sendable {
  let kind: PackedName.Kind
  let index: Int
}

extension AppDefinition {
  /// Returns the declaration of a name; nil for an unknown one.
  func declaration(of name: String, _ kind: PackedName.Kind) -> DeclaredName? {
    let index =
      switch kind {
      case .coordinator: coordinatorIndex[name]
      case .screen: screenIndex[name]
      case .prompt: promptIndex[name]
      case .effect: effectIndex[name]
      case .timer: timedEventIndex[name]
      case .signal: signalIndex[name]
      }
    return index.map { DeclaredName(kind: kind, index: $0) }
  }

  func crashName(of name: DeclaredName) -> UnsafePointer<UInt8> { schema(of: name).crashName.text }

  func schema(of name: DeclaredName) -> SchemaDefinition {
    switch name.kind {
    case .coordinator: coordinators[name.index].definition.schema
    case .screen: screens[name.index].schema
    case .prompt: prompts[name.index].schema
    case .effect: effects[name.index].schema
    case .timer: timedEvents[name.index]
    case .signal: signals[name.index].schema
    }
  }
}

/// The name of a coordinator, screen, prompt, effect, timed event or signal in packed bytes.
public struct PackedName: Sendable, Equatable, CustomStringConvertible {
  public enum Kind: String, Sendable { case coordinator, screen, prompt, effect, timer, signal }

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

/// Reads declared names and their values, and migrates those that another version of the app wrote.
struct NameReader {
  /// A name, with its current declaration.
  struct Name {
    let declared: DeclaredName
    /// The index of the migration of its values in ``usedMigrations``; nil for values of the current version.
    let migration: Int?
  }

  private let app: AppDefinition
  /// The names that were read so far. A number stands for one of them.
  private var names: [Name] = []
  /// The migrations that the bytes need, in the order of their first use.
  private var usedMigrations: [(name: PackedName, migration: MigrationDefinition)] = []
  /// Whether another version of the app wrote the bytes. If so, even values of the current version are decoded, to
  /// validate them.
  var isOtherVersion = false

  /// Whether the state has to be validated against the current declarations.
  var isMigrating: Bool { isOtherVersion || !usedMigrations.isEmpty }

  init(app: AppDefinition) {
    self.app = app
    names.reserveCapacity(8)
  }

  mutating func read(_ kind: PackedName.Kind, from input: inout ByteReader) throws -> Name {
    let number = try input.varint()
    guard number > 0 else {
      let name = try readInFull(kind, from: &input)
      names.append(name)
      return name
    }
    guard number <= names.count, names[Int(number) - 1].declared.kind == kind else { throw PackingError.corrupt }
    return names[Int(number) - 1]
  }

  /// Reads a name and the value that follows it.
  mutating func readValue(
    _ kind: PackedName.Kind, from input: inout ByteReader
  ) throws -> (index: Int, value: Value) {
    let name = try read(kind, from: &input)
    let value = try input.value()
    return (name.declared.index, isMigrating ? try migrated(value, name) : value)
  }

  /// Reads a name with its version, and finds the migration of an older one.
  private mutating func readInFull(_ kind: PackedName.Kind, from input: inout ByteReader) throws -> Name {
    let packed = PackedName(kind, try input.sizedText(), version: try input.int())
    let declared = app.declaration(of: packed.name, kind)
    let known = declared.map { app.schema(of: $0).version }
    if let declared, known == packed.version { return Name(declared: declared, migration: nil) }
    guard packed.version > 0 else { throw PackingError.corrupt }
    let namesakes = app.migrations.filter { $0.successor.kind == kind && $0.definition.name == packed.name }
    if let found = namesakes.first(where: { $0.definition.versions.contains(packed.version) }) {
      usedMigrations.append((packed, found.definition))
      return Name(declared: found.successor, migration: usedMigrations.count - 1)
    }
    guard let known else {
      throw namesakes.isEmpty ? MigrationObstacle.unknown(packed) : .noMigration(packed)
    }
    throw packed.version > known ? MigrationObstacle.newer(packed, known: known) : .noMigration(packed)
  }

  private func migrated(_ value: Value, _ name: Name) throws -> Value {
    if let index = name.migration {
      do {
        return try usedMigrations[index].migration.migrate(value)
      } catch {
        throw MigrationObstacle.migrationFailed(usedMigrations[index].name, reason: reason(of: error))
      }
    }
    guard isOtherVersion else { return value }
    let schema = app.schema(of: name.declared)
    do {
      return try schema.adapt(value)
    } catch {
      let name = PackedName(name.declared.kind, schema.name, version: schema.version)
      throw MigrationObstacle.undecodable(name, reason: reason(of: error))
    }
  }

  private func reason(of error: any Error) -> String {
    (error as? ValueError)?.plainDescription ?? String(describing: error)
  }
}

extension ByteReader {
  /// Reads a varint that is a count, an index or a version.
  mutating func int() throws -> Int {
    guard let number = Int(exactly: try varint()) else { throw PackingError.corrupt }
    return number
  }
}

extension ValueError {
  /// The path and the sentence, without names of Swift types: the words of a type's own code, and types of numbers.
  fileprivate var plainDescription: String {
    let words =
      switch reason {
      case .refused: "the value does not fit."
      case .outOfRange: "the number is out of range."
      default: "\(sentence)."
      }
    return path.isEmpty ? words : "\(ValueError.text(of: path)): \(words)"
  }
}
