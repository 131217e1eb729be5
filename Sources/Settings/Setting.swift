internal import Access
internal import Foundation
internal import HTTPAPI
internal import HTTPServices
internal import Logging
internal import Stores
internal import UsherHost

/// A setting of the host: `--session-ttl` as an option, `USHER_SESSION_TTL` in the environment, `session-ttl` in a
/// file.
public struct Setting: Sendable {
  /// The name: words with hyphens between them.
  public let name: String
  /// The placeholder of the value in the help, such as `seconds`.
  public let placeholder: String
  /// The help: one or two sentences.
  public let help: String
  /// Whether values may contain a password, and must not be printed.
  public let isSecret: Bool
  /// A description of valid values, which continues "must be".
  let expected: String
  /// Sets the value that a text stands for. Returns false for an invalid text.
  let set: @Sendable (String, inout HostSettings) -> Bool
  /// The current value as text that could set it, without any password; nil if there is no value.
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

  /// Creates an optional setting.
  init<Value>(
    _ name: String, _ placeholder: String, _ kind: SettingKind<Value>, _ path: any Path<Value?>, _ help: String
  ) {
    self.init(name, placeholder, kind.optional, path, help)
  }

  public var option: String { "--\(name)" }

  /// The name of the environment variable.
  public var variable: String { Self.variablePrefix + name.uppercased().split(separator: "-").joined(separator: "_") }

  static let variablePrefix = "USHER_"
}

// MARK: - Kinds

/// A kind of setting: the conversion between values and texts.
struct SettingKind<Value: Sendable>: Sendable {
  /// A description of valid values, which continues "must be".
  let expected: String
  let read: @Sendable (String) -> Value?
  let write: @Sendable (Value) -> String?

  /// The same kind for a setting without a default.
  fileprivate var optional: SettingKind<Value?> {
    SettingKind<Value?>(expected: expected, read: { read($0).map(Optional.some) }, write: { $0.flatMap(write) })
  }
}

extension SettingKind where Value: FixedWidthInteger {
  static func number(_ range: ClosedRange<Value>) -> SettingKind {
    SettingKind(
      expected: "a number from \(range.lowerBound) to \(range.upperBound)",
      read: { text in Value(text).flatMap { range.contains($0) ? $0 : nil } }, write: { "\($0)" })
  }
}

extension SettingKind<Duration> {
  static func seconds(_ range: ClosedRange<Int64>) -> SettingKind {
    SettingKind(
      expected: "a number of seconds from \(range.lowerBound) to \(range.upperBound)",
      read: { text in Int64(text).flatMap { range.contains($0) ? .seconds($0) : nil } },
      write: { "\($0.components.seconds)" })
  }
}

extension SettingKind<Double> {
  /// A number with up to three decimals.
  static func decimal(_ range: ClosedRange<Double>) -> SettingKind {
    SettingKind(
      expected: "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound)) with at most three decimals",
      read: { text in
        guard text.wholeMatch(of: /[0-9]+(\.[0-9]{1,3})?/) != nil else { return nil }
        return Double(text).flatMap { range.contains($0) ? $0 : nil }
      }, write: { number in Int(exactly: number).map { "\($0)" } ?? "\(number)" })
  }
}

extension SettingKind<StoreLocation> {
  static let store = SettingKind(
    expected: "memory, sqlite:PATH, sqlite:PATH?synchronous=normal or postgres://USER@HOST/DATABASE",
    read: { try? StoreLocation($0) }, write: { $0.description })
}

extension SettingKind<Permissions> {
  /// The permissions of anonymous clients.
  static let anonymous = SettingKind(
    expected: "create, act or create,act",
    read: { text in
      Permissions(names: text.filter { $0 != " " }).flatMap { $0.isSubset(of: [.create, .act]) ? $0 : nil }
    }, write: { $0.names })
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable {
  static var choice: SettingKind {
    SettingKind(
      expected: "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "), read: { Value(rawValue: $0) },
      write: { $0.rawValue })
  }
}

extension SettingKind where Value: LosslessStringConvertible {
  static func described(_ expected: String) -> SettingKind {
    SettingKind(expected: expected, read: { Value($0) }, write: { $0.description })
  }
}

extension SettingKind<String> {
  static let text = SettingKind(expected: "a non-empty text", read: { $0.isEmpty ? nil : $0 }, write: { $0 })
}

// MARK: - Lists

extension SettingKind {
  /// A list with commas. Its items have no blanks, or only inside.
  private static func list<Item: LosslessStringConvertible & Sendable>(
    _ expected: String, keepsBlanks: Bool = false, read: @escaping @Sendable ([Item]) -> Value?,
    write: @escaping @Sendable (Value) -> [Item]
  ) -> SettingKind {
    SettingKind(
      expected: expected,
      read: { text in
        let texts = text.split(separator: ",", omittingEmptySubsequences: false).map { item in
          keepsBlanks ? item.trimmingCharacters(in: .whitespaces) : item.filter { $0 != " " }
        }
        let items = texts.compactMap { Item($0) }
        return texts.contains("") || items.count < texts.count ? nil : read(items)
      },
      write: { value in
        let items = write(value)
        return items.isEmpty ? nil : items.map(\.description).joined(separator: ",")
      })
  }
}

extension SettingKind<[String]> {
  static let list = list("a comma-separated list", read: { $0 }, write: { $0 })
  /// Paths, which may contain spaces.
  static let paths = list("a comma-separated list of paths", keepsBlanks: true, read: { $0 }, write: { $0 })
}

extension SettingKind<[HTTPServiceSettings.Entry]> {
  /// - Parameter value: the placeholder of the value in the help, such as `URL`.
  static func named(_ value: String) -> SettingKind {
    list("a comma-separated list of NAME=\(value)", keepsBlanks: true, read: { $0 }, write: { $0 })
  }
}

extension SettingKind<[HTTPServiceSettings.HeaderFile]> {
  static let headerFiles = list(
    "a comma-separated list of NAME=HEADER:FILE", keepsBlanks: true, read: { $0 }, write: { $0 })
}

extension SettingKind<TrustedProxies> {
  static let proxies = list(
    "a comma-separated list of addresses such as 192.0.2.1 or ::1 and ranges such as 10.0.0.0/8 or 2001:db8::/32",
    read: { TrustedProxies($0) }, write: { $0.ranges })
}

extension SettingKind<AllowedHosts> {
  static let hosts = list(
    "* or a comma-separated list of host names such as app.example.com, without a scheme or a port",
    read: { AllowedHosts($0) }, write: { $0.texts })
}

extension SettingKind<AllowedOrigins> {
  static let origins = list(
    "* or a comma-separated list of origins such as https://app.example, without a path or a slash at the end",
    read: { AllowedOrigins($0) }, write: { $0.texts })
}
