internal import Foundation
internal import Sessions
internal import Values

/// The paths of a folder with files, and the calls that wait for its disk.
///
/// A file is at `S/SESSION/ID`: the first 2 digits of the session's key, all 64 of them, and the ID. A file that is being
/// written has another name in the same folder, `ID.CHARACTERS.part`, with random characters.
struct FileFolder: Sendable {
  let path: String

  /// The time after its last write from which a temporary file belongs to no writer, in seconds.
  static let abandonment: Int64 = 3600

  static let shards = (0..<256).map { Hexadecimal.encode([UInt8($0)]) }

  static func shard(of session: SessionKey) -> String { String(session.hexadecimal.prefix(2)) }

  private static let temporarySuffix = ".part"

  // MARK: - Paths

  private func shardPath(_ session: SessionKey) -> String { "\(path)/\(Self.shard(of: session))" }

  private func folderPath(_ session: SessionKey) -> String { "\(shardPath(session))/\(session.hexadecimal)" }

  private func filePath(_ key: FileKey) -> String { "\(folderPath(key.session))/\(key.id.text)" }

  // MARK: - Files

  /// Creates the folder, unless it exists.
  func create() throws(FileStoreError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw .lastSystemError("The folder \(path) for files cannot be created")
    }
    try checkReady()
  }

  func checkReady() throws(FileStoreError) {
    guard access("\(path)/.", W_OK | X_OK) == 0 else { throw .lastSystemError("The folder \(path) cannot be written") }
  }

  /// Creates the temporary file of a writer.
  func begin(_ key: FileKey) throws(FileStoreError) -> TemporaryFile {
    let folder = folderPath(key.session)
    let temporary = "\(filePath(key)).\(FileID.random().text)\(Self.temporarySuffix)"
    // The removal of the session's last file removes its folder.
    for _ in 0..<10 {
      for folder in [shardPath(key.session), folder] {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST || errno == ENOENT else {
          throw .lastSystemError("The folder \(folder) cannot be created")
        }
      }
      if let descriptor = Descriptor(temporary, O_WRONLY | O_CREAT | O_EXCL, permissions: 0o600) {
        return TemporaryFile(
          descriptor, at: temporary, becoming: filePath(key), in: [folder, shardPath(key.session), path])
      }
      guard errno == ENOENT else { break }
    }
    let error = FileStoreError.lastSystemError("The file \(temporary) cannot be created")
    rmdir(folder)
    throw error
  }

  /// Opens a file. The result stays readable after the removal of the file.
  func open(_ key: FileKey) throws(FileStoreError) -> OpenFile {
    guard let descriptor = Descriptor(filePath(key), O_RDONLY) else {
      guard errno == ENOENT else { throw .lastSystemError("The file \(filePath(key)) cannot be opened") }
      throw .missing
    }
    guard let status = descriptor.status, status.st_mode & S_IFMT == S_IFREG else { throw .damaged }
    return OpenFile(descriptor, size: Int64(status.st_size))
  }

  func remove(_ key: FileKey) throws(FileStoreError) {
    try unlink(filePath(key))
    // Fails while the folder has other files.
    rmdir(folderPath(key.session))
  }

  func removeAll(of session: SessionKey) throws(FileStoreError) {
    let folder = folderPath(session)
    for name in try names(in: folder) { try unlink("\(folder)/\(name)") }
    // A new file of the session keeps the folder.
    guard rmdir(folder) == 0 || errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST else {
      throw .lastSystemError("The folder \(folder) cannot be removed")
    }
  }

  private func unlink(_ path: String) throws(FileStoreError) {
    guard Foundation.unlink(path) == 0 || errno == ENOENT else {
      throw .lastSystemError("The file \(path) cannot be removed")
    }
  }

  // MARK: - Sweeps

  /// Returns the keys of files in a shard that are older than a time, and removes the temporary files of writers that
  /// have ended without a trace.
  func files(
    in shard: String, olderThan time: Timestamp, after: FileKey?, limit: Int, now: Timestamp
  ) throws(FileStoreError) -> [FileKey] {
    var found: [FileKey] = []
    for session in try names(in: "\(path)/\(shard)").sorted() {
      if let after, session < after.session.hexadecimal { continue }
      let folder = "\(path)/\(shard)/\(session)"
      for name in try names(in: folder).sorted() {
        if name.hasSuffix(Self.temporarySuffix) {
          try removeTemporary("\(folder)/\(name)", in: folder, now: now)
        } else if let key = FileKey(name: "\(session)/\(name)"), after.map({ $0 < key }) ?? true,
          let written = Self.timeOfLastWrite("\(folder)/\(name)"), written < time
        {
          found.append(key)
          if found.count == limit { return found }
        }
      }
    }
    return found
  }

  private func removeTemporary(_ path: String, in folder: String, now: Timestamp) throws(FileStoreError) {
    guard let written = Self.timeOfLastWrite(path), written + Self.abandonment < now else { return }
    try unlink(path)
    rmdir(folder)
  }

  /// Returns the names in a folder, which are none if it does not exist.
  private func names(in folder: String) throws(FileStoreError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      // Foundation's errors do not have the code of the system reliably.
      if access(folder, F_OK) != 0, errno == ENOENT { return [] }
      throw .unavailable("The folder \(folder) cannot be read: \(error.localizedDescription)")
    }
  }

  private static func timeOfLastWrite(_ path: String) -> Timestamp? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    let time = status.st_mtim
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }
}
