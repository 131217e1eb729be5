internal import Access
public import Foundation
internal import HTTPServices
public import UsherHost
internal import YAML

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
  ) throws(SettingsError) {
    try Self.check(environment)
    let path = file ?? environment[Self.fileVariable]
    let secrets = try Self.secrets(environment)
    let values = try path.map { path throws(SettingsError) in try Self.values(in: path) } ?? [:]
    var settings = HostSettings()
    var sources: [String: String] = [:]
    for setting in Setting.all {
      let layers = [
        (options[setting.name], setting.option), (environment[setting.variable], setting.variable),
        (secrets[setting.name], setting.variable + Self.fileSuffix), (values[setting.name], path ?? ""),
      ]
      guard let (given, source) = layers.first(where: { $0.0 != nil }), let text = given else { continue }
      guard setting.set(text, &settings) else {
        // A URL with a user may have a password, and may have been meant for another setting.
        let isShown = !setting.isSecret && !(text.contains("://") && text.contains("@"))
        let given = isShown ? "\"\(text)\"" : "the given value"
        throw SettingsError("\(source): \(setting.name) must be \(setting.expected), not \(given).")
      }
      sources[setting.name] = source
    }
    do {
      try settings.access.check()
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

extension SettingsReader {
  /// Returns the values of a YAML file, a mapping from the names of settings to values; those of a list with commas.
  ///
  /// - Throws: a ``SettingsError`` about a file that cannot be read, or about the first entry that is not a setting.
  private static func values(in path: String) throws(SettingsError) -> [String: String] {
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(filePath: path))
    } catch {
      throw SettingsError("\(path) cannot be read: \(error.localizedDescription)")
    }
    let (root, faults) = YAMLReader.read(Array(bytes), file: path, as: .settings)
    if let fault = faults.first {
      // The line itself may have the store's password.
      throw SettingsError("\(path) is not YAML: \(location(fault.mark)): \(fault.rule)")
    }
    guard let root, let entries = root.entries else {
      throw SettingsError("\(path) is not a mapping of settings, such as \"port: 8080\".")
    }
    var values: [String: String] = [:]
    for entry in entries {
      let name = entry.key.name
      guard Setting.all.contains(where: { $0.name == name }) else {
        // In a mapping in braces, a comma in a password turns the rest into a name. Such a mapping begins before its
        // first name.
        let isBlock = entries[0].key.mark == root.mark
        let isShown = isBlock && name.wholeMatch(of: /[A-Za-z0-9_-]{1,40}/) != nil
        let shown = isShown ? "\"\(name)\"" : "with the name at \(location(entry.key.mark))"
        throw SettingsError("\(path): there is no setting \(shown).")
      }
      let items = entry.value.elements.map { $0.compactMap(\.text) }
      guard let text = entry.value.text ?? items?.joined(separator: ","), items?.count == entry.value.elements?.count
      else { throw SettingsError("\(path): \(name) must be one value or a list.") }
      values[name] = text
    }
    return values
  }

  private static func location(_ mark: SourceMark) -> String { "line \(mark.line), column \(mark.column)" }
}

/// An invalid setting, as one sentence that names it.
public struct SettingsError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
