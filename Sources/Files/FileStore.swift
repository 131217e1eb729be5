public import Sessions
public import Values

/// The location of the bytes of uploaded files. Sessions keep the IDs of their files, never the bytes.
///
/// The ID of a file comes from the service, so no name and no path of a client reaches a store.
public protocol FileStore: Sendable {
  /// Begins a file. The file exists once its writer has finished.
  ///
  /// A second file of the same key replaces the first one.
  func create(_ key: FileKey) async throws(FileStoreError) -> any FileWriter

  /// Opens a file for reading.
  ///
  /// - Throws: ``FileStoreError/missing`` if the store does not have the file.
  func open(_ key: FileKey) async throws(FileStoreError) -> FileReading

  /// Removes a file, if the store has it.
  func remove(_ key: FileKey) async throws(FileStoreError)

  /// Removes all files of a session. A file that is being written meanwhile may be left over.
  func removeAll(of session: SessionKey) async throws(FileStoreError)

  /// Returns the keys of files that were finished before a time, in ascending order.
  ///
  /// - Parameters:
  ///   - after: the last key of the previous page; nil for the first page.
  ///   - limit: the size of a page, at least 1. A shorter page is the last one.
  func files(olderThan time: Timestamp, after: FileKey?, limit: Int) async throws(FileStoreError) -> [FileKey]

  /// - Throws: the reason why the store takes no files.
  func checkReady() async throws(FileStoreError)

  /// The measures for gauges.
  var usage: FileStoreUsage { get }

  /// Refuses further work, and blocks until the pending work is done.
  func close()
}

/// The writer of a new file. Its caller waits for each call before the next one.
///
/// Releasing a writer that has not finished abandons the file, as a failed call does. Every later call fails with
/// ``FileStoreError/missing``.
public protocol FileWriter: AnyObject, Sendable {
  /// Appends bytes.
  func write(_ bytes: [UInt8]) async throws(FileStoreError)

  /// Completes the file, which is durable when this returns.
  func finish() async throws(FileStoreError) -> ReceivedFile

  /// Drops the file. Has no effect after the end of the writer.
  func abandon() async
}

/// The key of a file: its session and its ID.
public struct FileKey: Sendable, Hashable {
  public let session: SessionKey
  public let id: FileID

  public init(session: SessionKey, id: FileID) {
    self.session = session
    self.id = id
  }
}

extension FileKey: Comparable {
  /// The order of the names.
  public static func < (a: FileKey, b: FileKey) -> Bool { a.name < b.name }

  /// The name of the file in a store: the 64 digits of the session's key, a slash, and the 22 characters of the ID.
  var name: String { "\(session.hexadecimal)/\(id.text)" }

  /// Parses a name. Returns nil for a text that is not the name of a file.
  init?(name: some StringProtocol) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let session = SessionKey(hexadecimal: parts[0]), let id = FileID(String(parts[1])) else {
      return nil
    }
    self.init(session: session, id: id)
    guard self.name == name else { return nil }
  }
}

/// The facts about a complete file that a store has determined from its bytes.
public struct ReceivedFile: Sendable, Equatable {
  /// The number of bytes.
  public let size: Int64
  /// The SHA-256 (FIPS 180-4) as 64 hexadecimal digits in lower case.
  public let sha256: String
  /// The media type by content, such as `image/png`; see ``ContentType``.
  public let type: String

  public init(size: Int64, sha256: String, type: String) {
    self.size = size
    self.sha256 = sha256
    self.type = type
  }
}

/// The measures of a store for gauges.
public struct FileStoreUsage: Sendable, Equatable {
  /// The number of writers that exist.
  public let writers: Int
  /// The number of bytes of files in memory, unfinished files included.
  public let memory: Int

  public init(writers: Int, memory: Int = 0) {
    self.writers = writers
    self.memory = memory
  }
}

/// The reason why an operation of a file store has failed.
public enum FileStoreError: Error, Sendable, Equatable {
  /// The store has no room. Nothing of the file is left.
  case full
  /// The file is larger than the store supports.
  case tooLarge
  /// The store does not have the file, or the writer has ended.
  case missing
  /// The bytes of the file are incomplete or cannot be read.
  case damaged
  /// The store does not work. The associated value is one or two sentences for the operator.
  case unavailable(String)

  static let closed = FileStoreError.unavailable("The file store is closed, because the service is stopping.")
}

extension FileStoreError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .full: "The file store is full. Add space, or remove sessions."
    case .tooLarge: "The file is larger than the file store supports."
    case .missing: "The file does not exist."
    case .damaged: "The file is damaged. Restore a backup."
    case .unavailable(let text): text
    }
  }
}
