/// What is wrong with a setting, as one sentence that names it.
public struct SettingsError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ sentence: String) { description = sentence }
}
