/// What an accepted intent has led to.
public struct Transition: Sendable {
  public let state: SessionState
  /// The state in its packed form.
  public let packed: [UInt8]
  /// The entry that shows now and did not before; nil where the same one still shows.
  public let appeared: EntryID?
  /// The entry that showed before and does not now.
  public let disappeared: EntryID?
}
