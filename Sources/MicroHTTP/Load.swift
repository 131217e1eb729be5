extension Server {
  /// What a server is doing at a moment.
  public struct Load: Sendable, Equatable {
    /// Open connections.
    public let connections: Int
    /// Requests whose head has arrived and whose answer is not yet sent, but for answers that go on.
    public let requests: Int
    /// Answers that go on.
    public let streams: Int
  }
}
