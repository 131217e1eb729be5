/// Keeps what follows sessions alive and up to date, and ends what is over, until it is stopped.
public final class Heart: Sendable {
  private let tasks: [Task<Void, Never>]

  /// - Parameters:
  ///   - silence: that a listener hears at most; proxies give up after 30 or 60 seconds.
  ///   - doubt: how often is looked for what others have changed, should they not be heard.
  public init(_ sessions: SessionService, silence: Duration = .seconds(15), doubt: Duration = .seconds(2)) {
    tasks = [
      Task.detached(priority: .background) {
        while (try? await Task.sleep(for: silence)) != nil { await sessions.beat() }
      },
      Task.detached(priority: .background) {
        while (try? await Task.sleep(for: doubt)) != nil { await sessions.catchUp() }
      },
      Task.detached { await sessions.hear() },
    ]
  }

  public func stop() { for task in tasks { task.cancel() } }
}
