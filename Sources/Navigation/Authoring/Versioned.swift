/// What stored sessions hold by its name: a ``Screen``, a ``Coordinator`` or a ``Prompt``. A stored session outlives the
/// build of the app that made it, so each of these says which version it is, and what of older builds it replaces.
public protocol Versioned: Codable, Sendable {
  /// The name on the wire and in stored sessions: lower-case letters, digits and hyphens; unique in the app.
  static var name: String { get }
  /// The version of the stored properties, at least 1; 1 unless declared.
  ///
  /// Raised when stored values of the old shape no longer decode, or mean something else now. A property that is optional
  /// needs no new version: where it is missing, it is nil.
  static var version: Int { get }
  /// What this type replaces in stored sessions, and how; nothing unless declared.
  ///
  ///     static let version = 2
  ///     static let predecessors: [Predecessor<Self>] = [
  ///       Predecessor(version: 1) { old in Buy(selectedProduct: try old.decode(OldBuy.self).product) }
  ///     ]
  static var predecessors: [Predecessor<Self>] { get }
}

extension Versioned {
  public static var version: Int { 1 }
  public static var predecessors: [Predecessor<Self>] { [] }
}
