internal import Navigation

extension [JournalEntry] {
  /// The entries as they may be shown.
  ///
  /// - Parameter app: of the session; nil where it is not hosted any more, and nobody knows what was a secret.
  func hidingSecrets(of app: AppDefinition?) -> [JournalEntry] {
    map { entry in
      switch entry.kind {
      case .create: entry.showing(schema: app?.input)
      case .action: entry.showing(schema: app?.input(of: entry.name))
      case .back, .dismiss, .tab, .open, .handOver: entry
      }
    }
  }
}

extension JournalEntry {
  fileprivate func showing(schema: InputSchema?) -> JournalEntry {
    let schema = schema ?? InputSchema(fields: [])
    return JournalEntry(
      revision: revision, at: at, kind: kind, name: name, input: schema.hidingSecrets(of: input), link: link,
      screen: screen)
  }
}
