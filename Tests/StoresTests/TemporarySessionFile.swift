import ExampleApps
import Foundation
import Navigation
import Sessions
import Synchronization

@testable import Stores

/// A session file in a folder of its own for one test. The folder is removed with the instance.
final class TemporarySessionFile: Sendable {
  let folder: URL
  private let messages = Mutex<[String]>([])

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "usher-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var path: String { folder.appending(path: "sessions.sqlite").path }
  var walPath: String { path + "-wal" }
  /// The messages that the store has logged.
  var logged: [String] { messages.withLock { $0 } }

  func open(limits: StoreLimits = StoreLimits()) throws -> SQLiteStore {
    try SQLiteStore(path: path, limits: limits) { [self] message in messages.withLock { $0.append(message) } }
  }

  /// A service with the example apps.
  func service(on store: any SessionStore) throws -> SessionService {
    SessionService(apps: try ExampleApps.all.map { try AppDefinition($0) }, store: store)
  }

  /// The bytes of the session file, or of another file.
  func bytes(_ path: String? = nil) -> Data { FileManager.default.contents(atPath: path ?? self.path) ?? Data() }

  /// Whether the session file or its log contains the text.
  func contains(_ text: String) -> Bool {
    [path, walPath].contains { bytes($0).firstRange(of: Data(text.utf8)) != nil }
  }
}

extension SQLiteConnection {
  /// Opens a session file that a store may be writing or closing, and closes it after the body.
  static func open<R>(_ path: String, _ body: (SQLiteConnection) throws -> R) throws -> R {
    let connection = try SQLiteConnection(path)
    defer { connection.close() }
    return try body(connection)
  }
}
