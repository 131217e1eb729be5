import Testing

/// Looks at something until a condition holds, for at most 30 seconds. The clock of the service stands still.
func eventually(
  sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
) async throws {
  for _ in 0..<3000 {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("The condition did not hold.", sourceLocation: sourceLocation)
}
