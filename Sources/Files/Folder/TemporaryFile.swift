internal import Foundation
internal import Synchronization

/// A file that is being written, under a temporary name. It is removed with this object unless it has been finished.
final class TemporaryFile: Sendable {
  private let path: String
  private let finalPath: String
  /// The folders whose names have to be on disk: that of the file, and those above.
  private let folders: [String]
  private let content: Mutex<Content>

  private struct Content: ~Copyable, Sendable {
    /// Nil after the end of the writer.
    var descriptor: Descriptor?
    var recorder = ContentRecorder()
  }

  init(_ descriptor: Descriptor, at path: String, becoming finalPath: String, in folders: [String]) {
    self.path = path
    self.finalPath = finalPath
    self.folders = folders
    content = Mutex(Content(descriptor: descriptor))
  }

  deinit { discard() }

  func write(_ bytes: [UInt8]) throws(FileStoreError) {
    let error = content.withLock { content -> FileStoreError? in
      guard let descriptor = content.descriptor else { return .missing }
      guard descriptor.write(bytes) else {
        let error = FileStoreError.lastSystemError("The file \(path) cannot be written")
        end(&content)
        return error
      }
      content.recorder.record(bytes)
      return nil
    }
    if let error { throw error }
  }

  /// Gives the file its name, and brings both to disk.
  func finish() throws(FileStoreError) -> ReceivedFile {
    let result = content.withLock { content -> Result<ReceivedFile, FileStoreError> in
      guard let descriptor = content.descriptor else { return .failure(.missing) }
      guard descriptor.sync() else {
        let error = FileStoreError.lastSystemError("The file \(path) cannot be brought to disk")
        end(&content)
        return .failure(error)
      }
      guard rename(path, finalPath) == 0 else {
        // Without the file, its session was removed meanwhile.
        let error: FileStoreError =
          errno == ENOENT ? .missing : .lastSystemError("The file \(path) cannot be renamed")
        end(&content)
        return .failure(error)
      }
      content.descriptor = nil
      return .success(content.recorder.finish())
    }
    let file = try result.get()
    try syncFolders()
    return file
  }

  /// A folder that exists may be new and not on disk yet, so all are brought there. That takes no time for the others.
  private func syncFolders() throws(FileStoreError) {
    for folder in folders {
      guard let descriptor = Descriptor(folder, O_RDONLY | O_DIRECTORY) else {
        guard errno == ENOENT else { throw failure(of: folder) }
        throw .missing
      }
      guard descriptor.sync() else { throw failure(of: folder) }
    }
  }

  /// Removes the file, whose name may get lost, and returns the reason.
  private func failure(of folder: String) -> FileStoreError {
    let error = FileStoreError.lastSystemError("The folder \(folder) cannot be brought to disk")
    unlink(finalPath)
    return error
  }

  /// Removes the file, unless the writer has ended.
  func discard() { content.withLock { content in if content.descriptor != nil { end(&content) } } }

  private func end(_ content: inout Content) {
    content.descriptor = nil
    unlink(path)
    // The folder may have been made for this file.
    if let folder = folders.first { rmdir(folder) }
  }
}
