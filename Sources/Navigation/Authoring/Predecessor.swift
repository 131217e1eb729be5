public import Values

/// What a screen, coordinator or prompt replaces in stored sessions, and the author's rule that carries its value over:
/// an older shape under the same name, or one that had another name and is no longer in the app.
///
///     Predecessor(version: 1) { old in Buy(selectedProduct: old["product"]?.int.map(Int.init) ?? 0) }
///     Predecessor("purchase", versions: 1...3) { old in Buy(selectedProduct: try old.decode(Purchase.self).item) }
///
/// A rule leads straight to the current version, so each older version that may still be stored has one. Only the bytes
/// of a session decide whether it is used, never the version of the app.
public struct Predecessor<Successor: Versioned>: Sendable {
  let name: String
  let versions: ClosedRange<Int>
  let carry: @Sendable (Value) throws -> Successor

  /// Replaces one older version.
  ///
  /// - Parameters:
  ///   - name: what it was called; the successor's own name unless given.
  ///   - version: the older version, at least 1.
  ///   - carry: makes the successor of the old encoded value. It runs whenever a session is read until the session is
  ///     stored anew, so it depends on the value only. What it throws means that the session cannot be carried over; the
  ///     description of the error is told to the client.
  public init(
    _ name: String = Successor.name, version: Int, carry: @escaping @Sendable (Value) throws -> Successor
  ) {
    self.init(name, versions: version...version, carry: carry)
  }

  /// Replaces several older versions by one rule; see ``init(_:version:carry:)``.
  public init(
    _ name: String = Successor.name, versions: ClosedRange<Int>, carry: @escaping @Sendable (Value) throws -> Successor
  ) {
    self.name = name
    self.versions = versions
    self.carry = carry
  }
}
