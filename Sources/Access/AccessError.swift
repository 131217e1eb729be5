/// Why access cannot be decided as it was asked for, as one sentence without any secret.
public struct AccessError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(_ sentence: String) { description = sentence }
}
