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
      throw SettingsError("\(path) is not YAML: \(Self.sentence(error))")
    } catch {
      throw SettingsError("\(path) cannot be read: \(error.localizedDescription)")
    }
  }

  /// Where the file stops being YAML, and why. The lines themselves are not repeated, because one may have the store's password.
  private static func sentence(_ error: YamlError) -> String {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      "\(place(mark)): \(problem)."
    case .reader(let problem, let offset, _, _): "character \(offset.map { "\($0 + 1)" } ?? "?"): \(problem)."
    case .duplicatedKeysInMapping(let names, let context):
      // A name that is no setting might be anything.
      "\(place(context.mark)): \(names.first { name in Setting.all.contains { $0.name == name } } ?? "a name") stands twice."
    default: "it cannot be read."
    }
  }

  private static func place(_ mark: Mark) -> String { "line \(mark.line), column \(mark.column)" }

  private static func check(_ root: Node?, _ path: String) throws(SettingsError) {
    guard let mapping = root?.mapping else {
      throw SettingsError("\(path) is not a mapping of settings, such as \"port: 8080\".")
    }
    var names: Set<String> = []
    for (key, value) in mapping {
      let name = key.string ?? ""
      guard Setting.all.contains(where: { $0.name == name }) else {
        // Between braces a comma in a password makes a name of what follows; such a mapping begins before its first name.
        let first = mapping.first?.key.mark
        let isBlock = first != nil && first?.line == root?.mark?.line && first?.column == root?.mark?.column
        let isShown = isBlock && name.wholeMatch(of: /[A-Za-z0-9_-]{1,40}/) != nil
        let shown = isShown ? "\"\(name)\"" : key.mark.map { "of the name at \(place($0))" } ?? "of a name in it"
        throw SettingsError("\(path): there is no setting \(shown).")
      }
      guard names.insert(name).inserted else { throw SettingsError("\(path): \(name) stands twice.") }
      guard value.mapping == nil else { throw SettingsError("\(path): \(name) is one value or a list.") }
    }
  }
}
