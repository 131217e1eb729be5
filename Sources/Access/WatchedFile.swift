internal import Foundation
internal import Logging
internal import Synchronization

/// The parsed contents of a file, which are reloaded after a change.
///
/// At most once in an interval, a caller of ``current()`` checks the file for a change, while other callers continue
/// with the known contents. Invalid new contents are logged once, and the previous contents stay in effect.
final class WatchedFile<Contents: Sendable>: Sendable {
  typealias Reader = @Sendable ([UInt8]) throws(AccessError) -> Contents

  private struct State {
    var contents: Contents
    var stamp: FileStamp?
    /// The error that was logged last; nil since the last reload that succeeded.
    var loggedError: String?
    var checkedAt = ContinuousClock.now
  }

  private let path: String
  private let interval: Duration
  private let logger: Logger
  private let read: Reader
  private let state: Mutex<State>

  /// - Throws: ``AccessError`` for an unreadable file, or the error of `read`.
  init(_ path: String, every interval: Duration, _ logger: Logger, read: @escaping Reader) throws(AccessError) {
    self.path = path
    self.interval = interval
    self.logger = logger
    self.read = read
    // The stamp comes first, so that a write during the read counts as a change.
    let stamp = FileStamp(path)
    state = Mutex(State(contents: try read(try [UInt8](contentsOf: path)), stamp: stamp))
  }

  /// Returns the contents, after a check of the file if the interval has passed.
  func current() -> Contents {
    let (contents, known, isDue) = state.withLock { state in
      let now = ContinuousClock.now
      let isDue = state.checkedAt.duration(to: now) >= interval
      if isDue { state.checkedAt = now }
      return (state.contents, state.stamp, isDue)
    }
    guard isDue else { return contents }
    let stamp = FileStamp(path)
    return stamp == known ? contents : reload(stamp) ?? contents
  }

  private func reload(_ stamp: FileStamp?) -> Contents? {
    var known: FileStamp?
    do throws(AccessError) {
      let bytes = try [UInt8](contentsOf: path)
      known = stamp
      let contents = try read(bytes)
      state.withLock { ($0.contents, $0.stamp, $0.loggedError) = (contents, stamp, nil) }
      logger.info("Reloaded \(path) after a change")
      return contents
    } catch {
      // After an unreadable file the stamp stays, since a file may become readable again without a visible change.
      let isNew = state.withLock { state in
        if let known { state.stamp = known }
        defer { state.loggedError = "\(error)" }
        return state.loggedError != "\(error)"
      }
      if isNew { logger.error("\(error) The previous contents stay in effect.") }
      return nil
    }
  }
}

/// The attributes of a file that reveal a change: its identity, modification time, size, owner and permissions.
struct FileStamp: Equatable {
  private let changedAt: Date
  private let numbers: [UInt64]

  /// Reads the attributes; nil if the file does not exist.
  init?(_ path: String) {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: Self.resolved(path)),
      let date = attributes[.modificationDate] as? Date
    else { return nil }
    changedAt = date
    numbers = [.systemNumber, .systemFileNumber, .size, .ownerAccountID, .groupOwnerAccountID, .posixPermissions].map {
      (attributes[$0] as? NSNumber)?.uint64Value ?? 0
    }
  }

  /// Follows symbolic links, because Kubernetes updates a mounted file by changing a link.
  private static func resolved(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}

extension [UInt8] {
  /// Reads a whole file.
  init(contentsOf path: String) throws(AccessError) {
    do {
      self = Array(try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw AccessError("\(path) cannot be read: \(error.localizedDescription)")
    }
  }
}
