internal import Synchronization
internal import Values

/// The latest screen that the output of a public effect has filled. Sessions that get the same output share the screen.
final class SharedScreen: Sendable {
  private struct Filled {
    let before: Value
    let output: Value
    let screen: AppValue
  }

  private let latest = Mutex<Filled?>(nil)

  /// Returns the screen after an output, the same object for the same screen and output.
  func screen(_ before: Value, with output: Value, _ make: () -> AppValue) -> AppValue {
    latest.withLock { latest in
      if let latest, latest.before == before, latest.output == output { return latest.screen }
      let screen = make()
      latest = Filled(before: before, output: output, screen: screen)
      return screen
    }
  }
}
