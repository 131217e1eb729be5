internal import Glibc

/// What is typed without being shown.
enum HiddenInput {
  /// How the terminal is to be left. Only the thread that reads writes it, before it takes the signals that read it.
  nonisolated(unsafe) private static var usual = termios()

  /// Hides what is typed while something is asked. What does not come from a terminal has nothing to hide.
  static func during<Answer>(_ ask: () -> Answer) -> Answer {
    guard tcgetattr(STDIN_FILENO, &usual) == 0 else { return ask() }
    var hidden = usual
    hidden.c_lflag &= ~tcflag_t(ECHO)
    // The line end still shows.
    hidden.c_lflag |= tcflag_t(ECHONL)
    // Who interrupts the program here gets a terminal that shows what is typed.
    let signals = [SIGINT, SIGTERM, SIGHUP]
    let previous = signals.map { number in
      signal(number) { number in
        tcsetattr(STDIN_FILENO, TCSANOW, &HiddenInput.usual)
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    tcsetattr(STDIN_FILENO, TCSADRAIN, &hidden)
    defer {
      tcsetattr(STDIN_FILENO, TCSANOW, &usual)
      for (number, handler) in zip(signals, previous) { signal(number, handler) }
    }
    return ask()
  }
}
