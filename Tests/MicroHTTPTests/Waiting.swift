import Glibc

/// Whether something comes true in time.
func isTrue(within patience: Duration, _ condition: () -> Bool) -> Bool {
  let deadline = ContinuousClock.now + patience
  while ContinuousClock.now < deadline {
    if condition() { return true }
    usleep(5000)
  }
  return condition()
}
