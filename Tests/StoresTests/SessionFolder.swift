import ExampleApps
import Foundation
import Navigation
import Sessions
import Stores
import Synchronization

/// A folder for the session file of one test, removed with the test.
final class SessionFolder: Sendable {
  let url: URL
  private let sentences = Mutex<[String]>([])

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "usher-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  var path: String { url.appending(path: "sessions.sqlite").path }
  var logPath: String { path + "-wal" }
  /// What the store has logged.
  var logged: [String] { sentences.withLock { $0 } }

  func open(limits: StoreLimits = StoreLimits()) throws -> SQLiteStore {
    try SQLiteStore(path: path, limits: limits) { [self] sentence in sentences.withLock { $0.append(sentence) } }
  }

  func service(on store: any SessionStore) throws -> SessionService {
    SessionService(apps: try ExampleApps.all.map { try AppDefinition($0) }, store: store)
  }

  func bytes(_ path: String? = nil) -> Data { FileManager.default.contents(atPath: path ?? self.path) ?? Data() }

  /// Whether the bytes of the text are in the session file or its log.
  func has(_ text: String) -> Bool {
    [path, logPath].contains { bytes($0).firstRange(of: Data(text.utf8)) != nil }
  }
}
