internal import Synchronization
internal import Values

/// The latest screen that consists of the output of a public effect. Sessions that get the same output share the screen.
final class SharedScreen: Sendable {
  private let latest = Mutex<(output: Value, screen: AppValue)?>(nil)

  /// Returns the screen with an output, the same object for the same output.
  func screen(with output: Value, _ make: () -> AppValue) -> AppValue {
    latest.withLock { latest in
      if let latest, latest.output == output { return latest.screen }
      let screen = make()
      latest = (output, screen)
      return screen
    }
  }
}
