import Glibc

/// Waits until something holds; false where it does not in time.
@discardableResult
func eventually(within patience: Duration = .seconds(30), _ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + patience
  while ContinuousClock.now < deadline {
    if condition() { return true }
    usleep(1000)
  }
  return condition()
}
