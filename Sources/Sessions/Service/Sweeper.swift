/// Drops what is over from a service's store, at once and again and again, until it is stopped.
public final class Sweeper: Sendable {
  private let task: Task<Void, Never>

  public init(_ sessions: SessionService, every interval: Duration, log: @escaping @Sendable (String) -> Void) {
    task = Task.detached(priority: .background) {
      repeat {
        do throws(SessionError) {
          try await sessions.sweep()
        } catch {
          if !Task.isCancelled { log("Expired sessions could not be dropped: \(error)") }
        }
      } while (try? await Task.sleep(for: interval)) != nil
    }
  }

  public func stop() { task.cancel() }
}
