/// Where sessions live, as one text: `memory`, `sqlite:PATH` or `postgres://USER@HOST/DATABASE`.
public enum StoreLocation: Sendable, Equatable {
  /// In the process, and gone with it.
  case memory
  /// In one file of this machine.
  case sqlite(path: String, Durability)
  /// In a PostgreSQL database that any number of processes may share. The text is what libpq takes.
  case postgres(String)

  /// What an answered action outlasts.
  public enum Durability: String, Sendable, CaseIterable {
    /// A power cut: an answer waits until the disk has what it says.
    case full
    /// The end of the process only; a power cut may take the last moments with it.
    case normal
  }

  /// The file that sessions live in unless another place is named; in the working directory.
  public static let standard = StoreLocation.sqlite(path: "usher.sqlite", .full)

  /// - Throws: a sentence that says what is wrong with the text.
  public init(_ text: String) throws(StoreLocationError) {
    if text == "memory" {
      self = .memory
    } else if text.hasPrefix("sqlite:") {
      self = try Self.sqlite(text.dropFirst("sqlite:".count))
    } else if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") {
      self = .postgres(text)
    } else {
      throw StoreLocationError("The store is memory, sqlite:PATH or postgres://USER@HOST/DATABASE.")
    }
  }

  private static func sqlite(_ text: Substring) throws(StoreLocationError) -> StoreLocation {
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard !parts[0].isEmpty, parts[0] != ":memory:" else {
      throw StoreLocationError("sqlite: wants the path of a file.")
    }
    guard parts.count == 2 else { return .sqlite(path: String(parts[0]), .full) }
    let prefix = "synchronous="
    guard parts[1].hasPrefix(prefix), let durability = Durability(rawValue: String(parts[1].dropFirst(prefix.count)))
    else { throw StoreLocationError("The only option of sqlite: is synchronous=full or synchronous=normal.") }
    return .sqlite(path: String(parts[0]), durability)
  }
}

extension StoreLocation: CustomStringConvertible {
  /// For people; without the password.
  public var description: String {
    switch self {
    case .memory: "memory"
    case .sqlite(let path, .full): "sqlite:\(path)"
    case .sqlite(let path, .normal): "sqlite:\(path)?synchronous=normal"
    case .postgres(let text): PostgreSQLLocation.shown(text)
    }
  }
}

/// A text that names no store, as one sentence.
public struct StoreLocationError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ sentence: String) { description = sentence }
}
