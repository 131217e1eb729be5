internal import Values

extension SchemaDefinition {
  convenience init<V: Versioned>(_ type: V.Type) {
    self.init(
      V.self, named: V.name, version: V.version, migrations: V.migrations.map { $0.definition })
  }

  /// - Parameter version: 1 for a type of which sessions store the name only.
  convenience init<Stored: Decodable & SendableMetatype>(
    _ type: Stored.Type, named name: String, version: Int = 1, migrations: [MigrationDefinition] = []
  ) {
    self.init(
      name, type: ObjectIdentifier(type), version: version, migrations: migrations,
      adapt: { value in
        _ = try value.decode(Stored.self)
        return value
      })
  }
}
