internal import Synchronization

/// Which write of a session this is: how many there were, and a mark that tells this one from any other with the same count.
///
/// The count alone would not do. A database that was set back, to a backup or to a replica that had not got everything, counts
/// the same way a second time.
public struct SessionVersion: Sendable, Equatable {
  /// The count in the upper half and the mark in the lower one, as a store keeps it.
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// The version of a session that is new.
  static func first() -> SessionVersion { SessionVersion(count: 1) }

  private init(count: Int64) {
    let mark = Self.marks.wrappingAdd(1, ordering: .relaxed).newValue
    rawValue = count << 32 | Int64(mark)
  }

  /// Processes begin with marks that are far apart, most likely.
  private static let marks = Atomic<UInt32>(.random(in: 0 ... .max))

  /// How often the session was written, from 1.
  public var count: Int64 { rawValue >> 32 }

  /// A version for what replaces this one; another one at each call.
  func next() -> SessionVersion { SessionVersion(count: count + 1) }
}
