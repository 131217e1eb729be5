internal import Foundation
internal import Synchronization

/// A local file that holds the bytes of an upload until its size and digest are known. It has no name, so nothing of it
/// is left when its process ends.
final class SpooledFile: Sendable {
  private let content: Mutex<Content>

  private struct Content: ~Copyable, Sendable {
    /// Nil after the end of the writer.
    var descriptor: Descriptor?
    var recorder = ContentRecorder()
  }

  /// - Parameter folder: the folder of the file while it has a name.
  init(in folder: String) throws(FileStoreError) {
    let path = "\(folder)/usher-\(FileID.random().text).part"
    guard let descriptor = Descriptor(path, O_RDWR | O_CREAT | O_EXCL, permissions: 0o600) else {
      throw .lastSystemError("The file \(path) cannot be created")
    }
    unlink(path)
    content = Mutex(Content(descriptor: descriptor))
  }

  func write(_ bytes: [UInt8]) throws(FileStoreError) {
    let error = content.withLock { content -> FileStoreError? in
      guard let descriptor = content.descriptor else { return .missing }
      guard descriptor.write(bytes) else {
        let error = FileStoreError.lastSystemError("A temporary file cannot be written")
        content.descriptor = nil
        return error
      }
      content.recorder.record(bytes)
      return nil
    }
    if let error { throw error }
  }

  /// Returns the file for reading, and its facts. Ends the writer.
  func finish() throws(FileStoreError) -> (Descriptor, ReceivedFile) {
    let result = content.withLock { content -> Result<(Descriptor, ReceivedFile), FileStoreError> in
      guard let descriptor = content.descriptor else { return .failure(.missing) }
      content.descriptor = nil
      return .success((descriptor, content.recorder.finish()))
    }
    return try result.get()
  }

  func discard() { content.withLock { $0.descriptor = nil } }
}
