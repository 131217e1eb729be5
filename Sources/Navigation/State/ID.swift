/// The identity of one entry, stack or coordinator of a session.
///
/// All three kinds draw from the session's one counter (``SessionState/nextID``), so an id names one thing for the whole
/// life of its session and is never used again. The phantom parameter keeps the kinds apart at compile time.
public struct ID<Kind>: Hashable, Comparable, Sendable {
  /// At least 1; 0 is never given out.
  public let rawValue: UInt32

  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

extension ID: CustomStringConvertible {
  public var description: String { String(rawValue) }
}

public typealias EntryID = ID<Entry>
public typealias StackID = ID<Stack>
public typealias NodeID = ID<Node>
