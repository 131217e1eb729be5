/// Returns the error that the body throws, or nil.
package func failure(_ body: () async throws -> some Any) async -> (any Error)? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}
