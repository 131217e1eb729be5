internal import Access
internal import Configuration
public import Foundation
public import UsherHost

/// The settings in force, each from the first of these that has it: the options of the command line, the environment, a file, and what
/// the service does by itself.
public struct SettingsReader {
  /// What is in force.
  public let settings: HostSettings
  /// Where each setting comes from, by its name; those that nobody has set are not among them.
  public let sources: [String: String]

  /// The variable that names the file, where no option does.
  static let fileVariable = "USHER_CONFIG"
  /// The token that the command `play` takes; it is there for both where both are used.
  public static let clientVariable = "USHER_TOKEN"
  private static let fileSuffix = "_FILE"

  /// - Parameters:
  ///   - options: of the command line, by the names of the settings.
  ///   - file: the path of a YAML file; nil for the one that the environment names, if it does.
  /// - Throws: a sentence about the first thing that is wrong.
  public init(
    options: [String: String], file: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) async throws(SettingsError) {
    try Self.check(environment)
    let path = file ?? environment[Self.fileVariable]
    var layers = [
      Layer(InMemoryProvider(name: "options", values: Self.values(options))) { $0.option },
      Layer(EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "usher")) {
        $0.variable
      },
      Layer(InMemoryProvider(name: "secrets", values: Self.values(try Self.secrets(environment)))) {
        $0.variable + Self.fileSuffix
      },
    ]
    if let path {
      layers.append(Layer(try await SettingsFile(path).provider) { _ in path })
    }
    var settings = HostSettings()
    var sources: [String: String] = [:]
    for setting in Setting.all {
      guard let (text, source) = Self.find(setting, in: layers) else { continue }
      guard setting.set(text, &settings) else {
        // A URL with a user may have been meant for another setting, and have a password.
        let isShown = !setting.isSecret && !(text.contains("://") && text.contains("@"))
        let given = isShown ? "\"\(text)\"" : "what is given"
        throw SettingsError("\(source): \(setting.name) must be \(setting.expected), not \(given).")
      }
      sources[setting.name] = source
    }
    do throws(AccessError) {
      try settings.access.check()
    } catch {
      throw SettingsError("\(error)")
    }
    if settings.rateBurst != nil, (settings.rateLimit ?? 0) == 0 {
      throw SettingsError("rate-burst is set, but rate-limit is not, so that it would limit nothing.")
    }
    self.settings = settings
    self.sources = sources
  }

  /// What is in force, as a file that could set it, with the source of each value as a comment. No secret is shown.
  public var text: String {
    Setting.all.map { setting in
      let line = setting.shown(settings).map { "\(setting.name): \(Self.quoted($0))" } ?? "# \(setting.name):"
      let padding = String(repeating: " ", count: max(1, 40 - line.count))
      return "\(line)\(padding)# \(sources[setting.name] ?? "default")\n"
    }.joined()
  }

  private static func quoted(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"#\"'{}[],&*!|>%@`".utf8.contains($0) }
    return isPlain && !text.hasSuffix(":") ? text : "\"\(text)\""
  }
}

// MARK: - Looking a setting up

extension SettingsReader {
  private struct Layer {
    let reader: ConfigReader
    let source: (Setting) -> String

    init(_ provider: any ConfigProvider, source: @escaping (Setting) -> String) {
      reader = ConfigReader(provider: provider)
      self.source = source
    }
  }

  private static func find(_ setting: Setting, in layers: [Layer]) -> (text: String, source: String)? {
    for layer in layers {
      let key = ConfigKey([setting.name])
      if let text = layer.reader.string(forKey: key, isSecret: setting.isSecret) {
        return (text, layer.source(setting))
      }
      // In a file a list may be a sequence.
      if let items = layer.reader.stringArray(forKey: key, isSecret: setting.isSecret) {
        return (items.joined(separator: ","), layer.source(setting))
      }
    }
    return nil
  }

  private static func values(_ texts: [String: String]) -> [AbsoluteConfigKey: ConfigValue] {
    Dictionary(
      uniqueKeysWithValues: texts.map { (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: true)) })
  }

  /// What the files hold that the environment names for secrets.
  private static func secrets(_ environment: [String: String]) throws(SettingsError) -> [String: String] {
    var secrets: [String: String] = [:]
    for setting in Setting.all where setting.isSecret {
      let variable = setting.variable + fileSuffix
      guard let path = environment[variable] else { continue }
      guard environment[setting.variable] == nil else {
        throw SettingsError("\(setting.variable) and \(variable) are both in the environment; one of them has to go.")
      }
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw SettingsError("\(variable): \(path) cannot be read.")
      }
      secrets[setting.name] = text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
    return secrets
  }

  private static func check(_ environment: [String: String]) throws(SettingsError) {
    let known = Set(
      Setting.all.map(\.variable) + Setting.all.filter(\.isSecret).map { $0.variable + fileSuffix }
        + [fileVariable, clientVariable])
    for variable in environment.keys.sorted() where variable.hasPrefix(Setting.variablePrefix) {
      let advice =
        environment[variable]?.hasPrefix("tcp://") == true || variable.hasPrefix("USHER_SERVICE_")
        ? " Kubernetes sets it for a service of this name, unless enableServiceLinks is false." : ""
      guard known.contains(variable), advice.isEmpty else {
        throw SettingsError("\(variable) in the environment is no setting.\(advice)")
      }
    }
  }
}
