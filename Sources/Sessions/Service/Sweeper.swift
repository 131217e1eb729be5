/// Drops what is over from a service's store, again and again.
public struct Sweeper: Sendable {
  private let sessions: SessionService
  private let interval: Duration
  private let log: @Sendable (String) -> Void

  /// - Parameter log: gets a sentence where something could not be dropped.
  public init(_ sessions: SessionService, every interval: Duration, log: @escaping @Sendable (String) -> Void) {
    self.sessions = sessions
    self.interval = interval
    self.log = log
  }

  /// Returns when its task is cancelled.
  public func run() async {
    repeat {
      do throws(SessionError) {
        try await sessions.sweep()
      } catch {
        if !Task.isCancelled { log("Expired sessions could not be dropped: \(error)") }
      }
    } while (try? await Task.sleep(for: interval)) != nil
  }
}
