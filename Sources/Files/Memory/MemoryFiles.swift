public import Sessions
internal import Synchronization
public import Values

/// Files in the memory of this process, which end with it.
public final class MemoryFiles: FileStore {
  private let content: Content
  private let writers = WriterCount()

  /// - Parameters:
  ///   - limit: the maximum number of bytes of all files together, unfinished ones included.
  ///   - clock: the clock that gives a finished file its time.
  public init(limit: Int, clock: TimeSource = .system) { content = Content(limit: limit, clock: clock) }

  public func create(_ key: FileKey) async throws(FileStoreError) -> any FileWriter {
    if content.isClosed { throw .closed }
    return Writer(key, content, writers.ticket())
  }

  public func open(_ key: FileKey) async throws(FileStoreError) -> FileReading {
    guard let pieces = content.pieces(of: key) else { throw .missing }
    return FileReading(size: pieces.size) { StoredPiecesReader(pieces: pieces, rest: $0) }
  }

  public func remove(_ key: FileKey) async throws(FileStoreError) { content.remove { $0 == key } }

  public func removeAll(of session: SessionKey) async throws(FileStoreError) {
    content.remove { $0.session == session }
  }

  public func files(
    olderThan time: Timestamp, after: FileKey?, limit: Int
  ) async throws(FileStoreError) -> [FileKey] {
    let found = content.files(olderThan: time).filter { key in after.map { $0 < key } ?? true }
    return Array(found.sorted().prefix(limit))
  }

  public func checkReady() async throws(FileStoreError) { if content.isClosed { throw .closed } }

  public var usage: FileStoreUsage { FileStoreUsage(writers: writers.value, memory: content.size) }

  public func close() { content.close() }

  private final class Writer: FileWriter {
    private let key: FileKey
    private let content: Content
    private let ticket: WriterCount.Ticket
    private let file = Mutex(File())

    private struct File: ~Copyable, Sendable {
      /// Nil after the end of the writer.
      var pieces: StoredPieces? = StoredPieces()
      var recorder = ContentRecorder()
    }

    init(_ key: FileKey, _ content: Content, _ ticket: WriterCount.Ticket) {
      self.key = key
      self.content = content
      self.ticket = ticket
    }

    deinit { discard() }

    func write(_ bytes: [UInt8]) async throws(FileStoreError) {
      let error = file.withLock { file -> FileStoreError? in
        guard let size = file.pieces?.size else { return .missing }
        guard content.reserve(bytes.count) else {
          content.release(Int(size))
          file.pieces = nil
          return .full
        }
        file.pieces?.append(bytes)
        file.recorder.record(bytes)
        return nil
      }
      if let error { throw error }
    }

    func finish() async throws(FileStoreError) -> ReceivedFile {
      let result = file.withLock { file -> Result<ReceivedFile, FileStoreError> in
        guard let pieces = file.pieces else { return .failure(.missing) }
        content.insert(pieces, for: key)
        file.pieces = nil
        return .success(file.recorder.finish())
      }
      return try result.get()
    }

    func abandon() async { discard() }

    private func discard() {
      file.withLock { file in
        guard let size = file.pieces?.size else { return }
        content.release(Int(size))
        file.pieces = nil
      }
    }
  }
}

/// The files of a store, and the number of their bytes.
private final class Content: Sendable {
  private struct State {
    var files: [FileKey: File] = [:]
    var size = 0
    var isClosed = false
  }

  private struct File {
    let pieces: StoredPieces
    let finishedAt: Timestamp
  }

  private let state = Mutex(State())
  private let limit: Int
  private let clock: TimeSource

  init(limit: Int, clock: TimeSource) {
    self.limit = limit
    self.clock = clock
  }

  var size: Int { state.withLock { $0.size } }

  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Drops all files.
  func close() {
    state.withLock { state in
      state.size -= state.files.values.reduce(0) { $0 + Int($1.pieces.size) }
      state.files = [:]
      state.isClosed = true
    }
  }

  /// Counts the bytes of an unfinished file. Returns false if they would exceed the limit.
  func reserve(_ count: Int) -> Bool {
    state.withLock { state in
      guard count <= limit - state.size else { return false }
      state.size += count
      return true
    }
  }

  func release(_ count: Int) { state.withLock { $0.size -= count } }

  /// Adds a file whose bytes are reserved.
  func insert(_ pieces: StoredPieces, for key: FileKey) {
    let time = clock.now()
    state.withLock { state in
      let replaced = state.files.updateValue(File(pieces: pieces, finishedAt: time), forKey: key)
      if let replaced { state.size -= Int(replaced.pieces.size) }
    }
  }

  func pieces(of key: FileKey) -> StoredPieces? { state.withLock { $0.files[key]?.pieces } }

  func remove(where isRemoved: (FileKey) -> Bool) {
    state.withLock { state in
      for (key, file) in state.files where isRemoved(key) {
        state.files[key] = nil
        state.size -= Int(file.pieces.size)
      }
    }
  }

  func files(olderThan time: Timestamp) -> [FileKey] {
    state.withLock { state in state.files.filter { $0.value.finishedAt < time }.map(\.key) }
  }
}
