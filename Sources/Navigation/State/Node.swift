public import Values

/// One live coordinator of a session.
public struct Node: Sendable, Equatable {
  public let id: NodeID
  /// Nil for the root only.
  public let parent: NodeID?
  /// The stack that the coordinator was started in. Stored and never inferred, so that it holds when screens move.
  public let hostStack: StackID
  /// The index in ``AppDefinition/coordinators``.
  public let coordinator: Int
  /// The encoded coordinator.
  public var state: Value
}
