internal import UsherHost

/// One thing that an operator decides: `--session-ttl` as an option, `USHER_SESSION_TTL` in the environment, `session-ttl` in a file.
public struct Setting: Sendable {
  /// Words with hyphens between them.
  public let name: String
  /// What stands for the value in a description, such as `seconds`.
  public let placeholder: String
  /// One sentence or two.
  public let help: String
  /// Whether a value must not be shown, because there may be a password in it.
  public let isSecret: Bool
  /// What a value has to be, as it goes on after "must be".
  let expected: String
  /// False where the text is no value.
  let set: @Sendable (String, inout HostSettings) -> Bool
  /// What is in force, in words that it could be set with and without any secret; nil for nothing.
  let shown: @Sendable (HostSettings) -> String?

  typealias Path<Value> = WritableKeyPath<HostSettings, Value> & Sendable

  init<Value>(
    _ name: String, _ placeholder: String, _ kind: SettingKind<Value>, _ path: any Path<Value>, isSecret: Bool = false,
    _ help: String
  ) {
    self.name = name
    self.placeholder = placeholder
    self.help = help
    self.isSecret = isSecret
    expected = kind.expected
    set = { text, settings in
      guard let value = kind.read(text) else { return false }
      settings[keyPath: path] = value
      return true
    }
    shown = { kind.write($0[keyPath: path]) }
  }

  /// For what may be left out.
  init<Value>(
    _ name: String, _ placeholder: String, _ kind: SettingKind<Value>, _ path: any Path<Value?>, _ help: String
  ) {
    self.name = name
    self.placeholder = placeholder
    self.help = help
    isSecret = false
    expected = kind.expected
    set = { text, settings in
      settings[keyPath: path] = kind.read(text)
      return settings[keyPath: path] != nil
    }
    shown = { $0[keyPath: path].map(kind.write) }
  }

  public var option: String { "--\(name)" }

  /// Its name in the environment.
  public var variable: String { Self.variablePrefix + name.uppercased().split(separator: "-").joined(separator: "_") }

  static let variablePrefix = "USHER_"
}
