public import Values

/// A prompt that a coordinator asked.
public struct AskedPrompt: Sendable, Equatable {
  /// The index in ``AppDefinition/prompts``.
  public let prompt: Int
  /// The encoded prompt.
  public let value: Value
  /// The coordinator that asked.
  public let owner: NodeID
  /// The stack that the owner acted on when it asked; what it wants on the answer acts there too.
  public let stack: StackID
}
