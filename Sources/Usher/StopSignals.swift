import Glibc

/// SIGINT and SIGTERM, taken one at a time by the thread that waits for them.
struct StopSignals {
  private var set = sigset_t()

  /// Blocks the signals for this thread and for all that it starts from now on.
  init() {
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &set, nil)
  }

  /// Whether one of the signals has come and was not waited for.
  var arePending: Bool {
    var pending = sigset_t()
    sigpending(&pending)
    return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1
  }

  /// Returns when one of the signals has come.
  func wait() {
    var signals = set
    var received: Int32 = 0
    sigwait(&signals, &received)
  }
}
