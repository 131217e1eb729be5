internal import Values

extension SchemaDefinition {
  convenience init<V: Versioned>(_ type: V.Type) {
    self.init(
      V.name, type: ObjectIdentifier(V.self), version: V.version,
      migrations: V.migrations.map { MigrationDefinition($0) },
      adapt: { value in
        _ = try value.decode(V.self)
        return value
      })
  }

  /// The schema of a type of which sessions store the name only.
  convenience init<S: Decodable & SendableMetatype>(unversioned type: S.Type, named name: String) {
    self.init(
      name, type: ObjectIdentifier(S.self), version: 1, migrations: [],
      adapt: { value in
        _ = try value.decode(S.self)
        return value
      })
  }
}

extension MigrationDefinition {
  init<V: Versioned>(_ migration: Migration<V>) {
    self.init(
      name: migration.name, versions: migration.versions, migrate: { try Value(encoding: migration.migrate($0)) })
  }
}
