internal import Configuration
internal import Foundation
internal import SystemPackage
internal import Yams

/// A YAML file of settings: a mapping of their names to values.
struct SettingsFile {
  let provider: FileProvider<YAMLSnapshot>

  /// - Throws: why it cannot be read, or what in it is no setting.
  init(_ path: String) async throws(SettingsError) {
    do {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      try Self.check(try Yams.compose(yaml: text), path)
      provider = try await FileProvider<YAMLSnapshot>(filePath: FilePath(path), allowMissing: false)
    } catch let error as SettingsError {
      throw error
    } catch let error as YamlError {
      throw SettingsError("\(path) is not YAML: \(error)".split(separator: "\n").joined(separator: " "))
    } catch {
      throw SettingsError("\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  private static func check(_ root: Node?, _ path: String) throws(SettingsError) {
    guard let mapping = root?.mapping else {
      throw SettingsError("\(path) is not a mapping of settings, such as \"port: 8080\".")
    }
    var names: Set<String> = []
    for (key, value) in mapping {
      let name = key.string ?? "\(key)"
      guard Setting.all.contains(where: { $0.name == name }) else {
        throw SettingsError("\(path): there is no setting \"\(name)\".")
      }
      guard names.insert(name).inserted else { throw SettingsError("\(path): \(name) stands twice.") }
      guard value.mapping == nil else { throw SettingsError("\(path): \(name) is one value or a list.") }
    }
  }
}
