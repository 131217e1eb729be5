internal import Access
internal import Configuration
public import Foundation
internal import HTTPServices
internal import SystemPackage
public import UsherHost
internal import Yams

/// The settings in force. Options of the command line come before the environment, the environment before a file, and a
/// file before the defaults.
public struct SettingsReader {
  public let settings: HostSettings
  /// The source of each setting by its name. Settings with their default have no source.
  public let sources: [String: String]

  /// The environment variable with the path of the file, unless an option names one.
  static let fileVariable = "USHER_CONFIG"
  /// The environment variable with the token of the command `play`. It is not a setting, but the two may share an
  /// environment.
  public static let clientVariable = "USHER_TOKEN"
  private static let fileSuffix = "_FILE"

  /// Reads the settings from all sources.
  ///
  /// - Parameters:
  ///   - options: the options of the command line, by the names of the settings.
  ///   - file: the path of a YAML file; nil for the file that the environment names, if any.
  /// - Throws: a ``SettingsError`` about the first invalid setting.
  public init(
    options: [String: String], file: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) async throws(SettingsError) {
    try Self.check(environment)
    let path = file ?? environment[Self.fileVariable]
    let variables = EnvironmentVariablesProvider(environmentVariables: environment).prefixKeys(with: "usher")
    let secrets = InMemoryProvider(name: "secrets", values: Self.values(try Self.secrets(environment)))
    var layers: [Layer] = [
      (InMemoryProvider(name: "options", values: Self.values(options)), { $0.option }), (variables, { $0.variable }),
      (secrets, { $0.variable + Self.fileSuffix }),
    ]
    if let path { layers.append((try await SettingsFile(path).provider, { _ in path })) }
    var settings = HostSettings()
    var sources: [String: String] = [:]
    for setting in Setting.all {
      guard let (text, source) = Self.find(setting, in: layers) else { continue }
      guard setting.set(text, &settings) else {
        // A URL with a user may have a password, and may have been meant for another setting.
        let isShown = !setting.isSecret && !(text.contains("://") && text.contains("@"))
        let given = isShown ? "\"\(text)\"" : "the given value"
        throw SettingsError("\(source): \(setting.name) must be \(setting.expected), not \(given).")
      }
      sources[setting.name] = source
    }
    do throws(AccessError) {
      try settings.access.check()
    } catch {
      throw SettingsError("\(error)")
    }
    do throws(HTTPServiceFaults) {
      try settings.services.check()
    } catch {
      throw SettingsError("\(error)")
    }
    if settings.rateBurst != nil, (settings.rateLimit ?? 0) == 0 {
      throw SettingsError("rate-burst has no effect without rate-limit. Set both, or neither.")
    }
    self.settings = settings
    self.sources = sources
  }

  /// The settings as a YAML file that could set them, with the source of each as a comment. Secrets are left out.
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

// MARK: - Sources

extension SettingsReader {
  /// One source of settings, and its name for each setting.
  private typealias Layer = (provider: any ConfigProvider, source: (Setting) -> String)

  private static func find(_ setting: Setting, in layers: [Layer]) -> (text: String, source: String)? {
    let key = ConfigKey([setting.name])
    for layer in layers {
      let reader = ConfigReader(provider: layer.provider)
      if let text = reader.string(forKey: key, isSecret: setting.isSecret) {
        return (text, layer.source(setting))
      }
      // In a file, a list may be a YAML sequence.
      if let items = reader.stringArray(forKey: key, isSecret: setting.isSecret) {
        return (items.joined(separator: ","), layer.source(setting))
      }
    }
    return nil
  }

  private static func values(_ texts: [String: String]) -> [AbsoluteConfigKey: ConfigValue] {
    Dictionary(
      uniqueKeysWithValues: texts.map { (AbsoluteConfigKey([$0.key]), ConfigValue(.string($0.value), isSecret: true)) })
  }

  /// Reads secrets from the files that variables such as `USHER_STORE_FILE` name.
  private static func secrets(_ environment: [String: String]) throws(SettingsError) -> [String: String] {
    var secrets: [String: String] = [:]
    for setting in Setting.all where setting.isSecret {
      let variable = setting.variable + fileSuffix
      guard let path = environment[variable] else { continue }
      guard environment[setting.variable] == nil else {
        throw SettingsError("\(setting.variable) and \(variable) are both in the environment. Remove one of them.")
      }
      do {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        secrets[setting.name] = text.trimmingCharacters(in: .whitespacesAndNewlines)
      } catch {
        throw SettingsError("\(variable): \(path) cannot be read: \(error.localizedDescription)")
      }
    }
    return secrets
  }

  /// Throws for a variable that has the prefix of settings and is not a setting.
  private static func check(_ environment: [String: String]) throws(SettingsError) {
    let known = Set(
      Setting.all.map(\.variable) + Setting.all.filter(\.isSecret).map { $0.variable + fileSuffix }
        + [fileVariable, clientVariable])
    for variable in environment.keys.sorted() where variable.hasPrefix(Setting.variablePrefix) {
      let advice =
        environment[variable]?.hasPrefix("tcp://") == true
          || variable.hasPrefix("USHER_SERVICE_") && !known.contains(variable)
        ? " Kubernetes sets it for a service named usher; set enableServiceLinks to false in the pod." : ""
      guard known.contains(variable), advice.isEmpty else {
        throw SettingsError("The environment variable \(variable) is not a setting.\(advice)")
      }
    }
  }
}

// MARK: - File

/// A YAML file of settings: a mapping from names to values.
private struct SettingsFile {
  let provider: FileProvider<YAMLSnapshot>

  /// - Throws: a ``SettingsError`` about a file that cannot be read, or about the first entry that is not a setting.
  init(_ path: String) async throws(SettingsError) {
    do {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try Self.check(try Yams.compose(yaml: text), path)
      provider = try await FileProvider<YAMLSnapshot>(filePath: FilePath(path), allowMissing: false)
    } catch let error as SettingsError {
      throw error
    } catch let error as YamlError {
      throw SettingsError("\(path) is not YAML: \(Self.sentence(error))")
    } catch {
      throw SettingsError("\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  /// Describes the place and the problem of invalid YAML, without the line itself, which may have the store's password.
  private static func sentence(_ error: YamlError) -> String {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      return "\(place(mark)): \(problem)."
    case .reader(let problem, let offset, _, _): return "character \(offset.map { "\($0 + 1)" } ?? "?"): \(problem)."
    case .duplicatedKeysInMapping(let names, let context):
      // A name that is not a setting may be part of a password.
      let name = names.first { name in Setting.all.contains { $0.name == name } }
      return "\(place(context.mark)): \(name ?? "a name") occurs twice."
    default: return "its structure cannot be read."
    }
  }

  private static func place(_ mark: Mark) -> String { "line \(mark.line), column \(mark.column)" }

  /// Throws for a file that is not a mapping from the names of settings to values.
  private static func check(_ root: Node?, _ path: String) throws(SettingsError) {
    guard let mapping = root?.mapping else {
      throw SettingsError("\(path) is not a mapping of settings, such as \"port: 8080\".")
    }
    var names: Set<String> = []
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard Setting.all.contains(where: { $0.name == name }) else {
        // In a mapping in braces, a comma in a password turns the rest into a name. Such a mapping begins before its
        // first name.
        let first = mapping.first?.key.mark
        let isBlock = first != nil && first?.line == root?.mark?.line && first?.column == root?.mark?.column
        let isShown = isBlock && name.wholeMatch(of: /[A-Za-z0-9_-]{1,40}/) != nil
        let shown = isShown ? "\"\(name)\"" : key.mark.map { "with the name at \(place($0))" } ?? "with a name in it"
        throw SettingsError("\(path): there is no setting \(shown).")
      }
      guard names.insert(name).inserted else { throw SettingsError("\(path): \(name) occurs twice.") }
      guard value.mapping == nil else { throw SettingsError("\(path): \(name) must be one value or a list.") }
    }
  }
}

/// An invalid setting, as one sentence that names it.
public struct SettingsError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
