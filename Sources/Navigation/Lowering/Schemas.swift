internal import Values

extension SchemaDefinition {
  /// - Parameter questions: the names of the questions of a journey, whose answers another version may not decode.
  convenience init<V: Versioned>(_ type: V.Type, questions: [String] = []) {
    self.init(
      V.self, named: V.name, version: V.version, migrations: V.migrations.map { $0.definition }, questions: questions)
  }

  /// - Parameter version: 1 for a type of which sessions store the name only.
  convenience init<Stored: Decodable & SendableMetatype>(
    _ type: Stored.Type, named name: String, version: Int = 1, migrations: [MigrationDefinition] = [],
    questions: [String] = []
  ) {
    self.init(
      name, type: ObjectIdentifier(type), version: version, migrations: migrations,
      adapt: { value in
        let value = questions.isEmpty ? value : JourneyDefinition.adapted(value, questions)
        _ = try value.decode(Stored.self)
        return value
      })
  }
}
