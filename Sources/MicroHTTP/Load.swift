extension Server {
  /// What a server is doing at a moment.
  public struct Load: Sendable, Equatable {
    /// Open connections.
    public let connections: Int
    /// Requests whose head has arrived and whose answer is not yet sent, but for answers that go on.
    public let requests: Int
    /// Requests that are suspended because their handlers wait.
    public let suspended: Int
    /// Handlers that still run although their clients have left, or were answered in their place.
    public let abandonedHandlers: Int
    /// Answers that go on.
    public let streams: Int
  }
}
