/// Keeps what follows sessions alive and up to date, and ends what is over.
public struct Heart: Sendable {
  private let sessions: SessionService
  private let silence: Duration
  private let doubt: Duration

  /// - Parameters:
  ///   - silence: that a listener hears at most; proxies give up after 30 or 60 seconds.
  ///   - doubt: how often is looked for what others have changed, should they not be heard.
  public init(_ sessions: SessionService, silence: Duration = .seconds(15), doubt: Duration = .seconds(2)) {
    self.sessions = sessions
    self.silence = silence
    self.doubt = doubt
  }

  /// Returns when its task is cancelled.
  public func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { while (try? await Task.sleep(for: silence)) != nil { await sessions.beat() } }
      group.addTask { while (try? await Task.sleep(for: doubt)) != nil { await sessions.catchUp() } }
      group.addTask { await sessions.hear() }
    }
  }
}
