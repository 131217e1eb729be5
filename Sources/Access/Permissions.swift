/// What a principal may do.
public struct Permissions: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// To make sessions.
  public static let create = Permissions(rawValue: 1)
  /// To use sessions: one's own, and those that were made by nobody in particular.
  public static let act = Permissions(rawValue: 2)
  /// To read the metrics and the console, which shows the sessions of all.
  public static let operate = Permissions(rawValue: 4)

  public static let all: Permissions = [.create, .act, .operate]
}
