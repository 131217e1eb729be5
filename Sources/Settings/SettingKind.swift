internal import Access
internal import HTTPAPI
internal import Logging
internal import Stores
internal import UsherHost

/// How the values of a setting are read and shown.
struct SettingKind<Value: Sendable>: Sendable {
  /// As it goes on after "must be".
  let expected: String
  let read: @Sendable (String) -> Value?
  let write: @Sendable (Value) -> String
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

extension SettingKind<String> {
  static let text = SettingKind(expected: "a text", read: { $0.isEmpty ? nil : $0 }, write: { $0 })
}

extension SettingKind<Double> {
  /// A number between whole ones.
  static func decimal(_ range: ClosedRange<Double>) -> SettingKind {
    SettingKind(
      expected: "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound)) with three decimals at most",
      read: { text in
        guard text.wholeMatch(of: /[0-9]+(\.[0-9]{1,3})?/) != nil else { return nil }
        return Double(text).flatMap { range.contains($0) ? $0 : nil }
      }, write: { number in Int(exactly: number).map { "\($0)" } ?? "\(number)" })
  }
}

extension SettingKind<[String]> {
  /// Texts with commas between them.
  static let list = SettingKind(
    expected: "a list with commas between its items",
    read: { text in
      let items = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
      return items.contains("") ? nil : items
    }, write: { $0.joined(separator: ",") })
}

extension SettingKind<Bool> {
  static let flag = SettingKind(expected: "true or false", read: { Bool($0) }, write: { "\($0)" })
}

extension SettingKind where Value: RawRepresentable<String> & CaseIterable {
  static var choice: SettingKind {
    SettingKind(
      expected: "one of " + Value.allCases.map(\.rawValue).joined(separator: ", "), read: { Value(rawValue: $0) },
      write: { $0.rawValue })
  }
}

extension SettingKind<ListenAddress> {
  static let address = SettingKind(
    expected: "an address such as 127.0.0.1:8081 or [::1]:8081", read: { ListenAddress($0) },
    write: { $0.description })
}

extension SettingKind<StoreLocation> {
  static let store = SettingKind(
    expected: "memory, sqlite:PATH, sqlite:PATH?synchronous=normal or postgres://USER@HOST/DATABASE",
    read: { try? StoreLocation($0) }, write: { $0.description })
}

extension SettingKind<AccessSettings.Method> {
  static let method = SettingKind(
    expected: "none, tokens:FILE or jwt:FILE", read: { AccessSettings.Method($0) }, write: { $0.description })
}

extension SettingKind<Permissions> {
  /// What somebody may be allowed whom nobody knows.
  static let anonymous = SettingKind(
    expected: "create, act or create,act",
    read: { text in
      Permissions(names: text.filter { $0 != " " }).flatMap { $0.contains(.operate) ? nil : $0 }
    }, write: { $0.names })
}

extension SettingKind<TrustedProxies> {
  static let proxies = SettingKind(
    expected:
      "addresses such as 192.0.2.1 or ::1 and ranges such as 10.0.0.0/8 or 2001:db8::/32, with commas between them",
    read: { text in
      guard let items = SettingKind<[String]>.list.read(text) else { return nil }
      let ranges = items.compactMap { AddressRange($0) }
      return ranges.count == items.count ? TrustedProxies(ranges) : nil
    }, write: { $0.ranges.map(\.description).joined(separator: ",") })
}

extension SettingKind<AllowedHosts> {
  static let hosts = SettingKind(
    expected: "* or host names such as app.example.com, without a scheme or a port, with commas between them",
    read: { text in SettingKind<[String]>.list.read(text).flatMap { AllowedHosts($0) } },
    write: { $0.texts.joined(separator: ",") })
}

extension SettingKind<AllowedOrigins> {
  static let origins = SettingKind(
    expected:
      "* or origins such as https://app.example, each a scheme and a host without a path or a slash behind it, with commas "
      + "between them",
    read: { text in SettingKind<[String]>.list.read(text).flatMap { AllowedOrigins($0) } },
    write: { $0.texts.joined(separator: ",") })
}
