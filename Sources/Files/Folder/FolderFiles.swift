public import Sessions
internal import Stores
public import Values

/// Files in a folder, which several processes may share on a network file system.
///
/// A file that has been acknowledged survives the end of the process and a power failure. A process that ends while it
/// writes leaves temporary files, which ``files(olderThan:after:limit:)`` removes an hour after their last write.
public final class FolderFiles: FileStore {
  private let folder: FileFolder
  private let threads = BlockingThreads.forFiles()
  private let writers = WriterCount()

  /// Opens a folder, and creates it if it does not exist.
  ///
  /// - Throws: ``FileStoreError/unavailable(_:)`` if the folder cannot be created or written.
  public init(path: String) throws(FileStoreError) {
    folder = FileFolder(path: path)
    try folder.create()
  }

  public func create(_ key: FileKey) async throws(FileStoreError) -> any FileWriter {
    let ticket = writers.ticket()
    let file = try await threads.run { [folder] () throws(FileStoreError) in try folder.begin(key) }
    return Writer(file, threads, ticket)
  }

  public func open(_ key: FileKey) async throws(FileStoreError) -> FileReading {
    let file = try await threads.run { [folder] () throws(FileStoreError) in try folder.open(key) }
    return FileReading(size: file.size) { [threads] in OpenFileReader(file: file, threads: threads, rest: $0) }
  }

  public func remove(_ key: FileKey) async throws(FileStoreError) {
    try await threads.run { [folder] () throws(FileStoreError) in try folder.remove(key) }
  }

  public func removeAll(of session: SessionKey) async throws(FileStoreError) {
    try await threads.run { [folder] () throws(FileStoreError) in try folder.removeAll(of: session) }
  }

  /// Also removes temporary files an hour after their last write.
  public func files(
    olderThan time: Timestamp, after: FileKey?, limit: Int
  ) async throws(FileStoreError) -> [FileKey] {
    let first = after.map { FileFolder.shard(of: $0.session) } ?? ""
    let now = TimeSource.system.now()
    var found: [FileKey] = []
    for shard in FileFolder.shards where shard >= first && found.count < limit {
      let rest = limit - found.count
      // One job for each shard, so that uploads and downloads go on meanwhile.
      found += try await threads.run { [folder] () throws(FileStoreError) in
        try folder.files(in: shard, olderThan: time, after: after, limit: rest, now: now)
      }
    }
    return found
  }

  public func checkReady() async throws(FileStoreError) {
    try await threads.run { [folder] () throws(FileStoreError) in try folder.checkReady() }
  }

  public var usage: FileStoreUsage { FileStoreUsage(writers: writers.value) }

  public func close() { threads.stop() }

  private final class Writer: FileWriter {
    private let file: TemporaryFile
    private let threads: BlockingThreads
    private let ticket: WriterCount.Ticket

    init(_ file: TemporaryFile, _ threads: BlockingThreads, _ ticket: WriterCount.Ticket) {
      self.file = file
      self.threads = threads
      self.ticket = ticket
    }

    // The removal of a file waits for the disk.
    deinit { _ = threads.add { [file] in file.discard() } }

    func write(_ bytes: [UInt8]) async throws(FileStoreError) {
      try await threads.run { [file] () throws(FileStoreError) in try file.write(bytes) }
    }

    func finish() async throws(FileStoreError) -> ReceivedFile {
      try await threads.run { [file] () throws(FileStoreError) in try file.finish() }
    }

    func abandon() async {
      // A store that is closed removes the file with its object.
      _ = try? await threads.run { [file] () throws(FileStoreError) in file.discard() }
    }
  }
}
