internal import Logging
internal import Synchronization

/// What a file says, read again once it has changed.
///
/// Whether it has is asked at most once in an interval, by whoever comes first then; the others go on with what is known. New
/// contents that are wrong are logged once, and the old ones stay in force.
final class WatchedFile<Contents: Sendable>: Sendable {
  typealias Reader = @Sendable ([UInt8]) throws(AccessError) -> Contents

  private struct State {
    var contents: Contents
    var stamp: FileStamp?
    /// What was logged last of what is wrong; nil since the file was read.
    var complaint: String?
    var lookedAt = ContinuousClock.now
  }

  private let path: String
  private let interval: Duration
  private let logger: Logger
  private let read: Reader
  private let state: Mutex<State>

  /// - Throws: why it cannot be read, or what `read` does not like about it.
  init(_ path: String, every interval: Duration, _ logger: Logger, read: @escaping Reader) throws(AccessError) {
    self.path = path
    self.interval = interval
    self.logger = logger
    self.read = read
    // Taken first: what is written while it is read is a change.
    let stamp = FileStamp(path)
    state = Mutex(State(contents: try read(try [UInt8](contentsOf: path)), stamp: stamp))
  }

  func current() -> Contents {
    let (contents, known, isDue) = state.withLock { state in
      let now = ContinuousClock.now
      let isDue = state.lookedAt.duration(to: now) >= interval
      if isDue { state.lookedAt = now }
      return (state.contents, state.stamp, isDue)
    }
    guard isDue else { return contents }
    let stamp = FileStamp(path)
    return stamp == known ? contents : readAgain(stamp) ?? contents
  }

  private func readAgain(_ stamp: FileStamp?) -> Contents? {
    var known: FileStamp?
    do throws(AccessError) {
      let bytes = try [UInt8](contentsOf: path)
      known = stamp
      let contents = try read(bytes)
      state.withLock { ($0.contents, $0.stamp, $0.complaint) = (contents, stamp, nil) }
      logger.info("\(path) has changed and was read again")
      return contents
    } catch {
      // What could not be read at all is tried again, because nothing of the file may change when it can be.
      let isNew = state.withLock { state in
        if let known { state.stamp = known }
        defer { state.complaint = "\(error)" }
        return state.complaint != "\(error)"
      }
      if isNew { logger.error("\(error) What it said before stays in force.") }
      return nil
    }
  }
}
