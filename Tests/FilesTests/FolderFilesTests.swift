import Files
import Foundation
import Sessions
import TestSupport
import Testing
import Values

@Suite(.limitedConcurrency) struct FolderFilesTests {
  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  /// Sets the time of the last write.
  private func age(_ url: URL, seconds: Double) throws {
    let date = Date(timeIntervalSinceNow: -seconds)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
  }

  @Test func `only the owner of the process reads the files and the folders`() async throws {
    let files = try TestFiles()
    let key = FileKey.random()
    let writer = try await files.store.create(key)
    for path in files.paths {
      #expect(try permissions(files.folder.appending(path: path).path) == (path.hasSuffix(".part") ? 0o600 : 0o700))
    }
    _ = try await writer.finish()
    #expect(try permissions(files.folder.appending(path: key.path).path) == 0o600)
    #expect(try permissions(files.folder.path) == 0o700)
    #expect(files.paths.contains(key.path))
  }

  @Test func `the files are there after a restart`() async throws {
    let files = try TestFiles()
    let key = FileKey.random()
    try await files.put(sample(1000), key)
    let again = try FolderFiles(path: files.folder.path)
    defer { again.close() }
    var bytes: [UInt8] = []
    for try await piece in try await again.open(key).pieces() { bytes += piece }
    #expect(bytes == sample(1000))
  }

  @Test func `a file that has lost bytes is damaged`() async throws {
    let files = try TestFiles()
    let key = FileKey.random()
    try await files.put(sample(200_000), key)
    let reading = try await files.store.open(key)
    #expect(truncate(files.folder.appending(path: key.path).path, 100_000) == 0)
    var count = 0
    let error = await failure { for try await piece in reading.pieces() { count += piece.count } }
    #expect(error as? FileStoreError == .damaged && count == 65_536)
  }

  @Test func `a folder in the place of a file is damage`() async throws {
    let files = try TestFiles()
    let key = FileKey.random()
    try FileManager.default.createDirectory(
      at: files.folder.appending(path: key.path), withIntermediateDirectories: true)
    #expect(await failure { try await files.get(key) } as? FileStoreError == .damaged)
  }

  @Test func `foreign names in the folder are neither listed nor removed`() async throws {
    let files = try TestFiles()
    let key = FileKey.random()
    try await files.put([1], key)
    let foreign = files.folder.appending(path: key.path).deletingLastPathComponent().appending(path: "note.txt")
    try Data([1]).write(to: foreign)
    try age(foreign, seconds: 10_000)
    #expect(try await files.keys() == [key])
    #expect(FileManager.default.fileExists(atPath: foreign.path))
  }

  @Test func `a sweep removes the temporary file of an ended process after an hour`() async throws {
    let files = try TestFiles()
    let key = FileKey.random()
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = files.folder.path as String, session = key.session.hexadecimal as String, id = key.id.text as String] in
      let store = try FolderFiles(path: path)
      let session = try #require(SessionKey(hexadecimal: session))
      let writer = try await store.create(FileKey(session: session, id: try #require(FileID(id))))
      try await writer.write([UInt8](repeating: 1, count: 100_000))
      kill(getpid(), SIGKILL)
    }
    let temporary = try #require(files.paths.first { $0.hasSuffix(".part") })
    #expect(await failure { try await files.get(key) } as? FileStoreError == .missing)
    // Another process may still write it.
    #expect(try await files.keys() == [] && files.paths.contains(temporary))
    try age(files.folder.appending(path: temporary), seconds: 3500)
    #expect(try await files.keys() == [] && files.paths.contains(temporary))
    try age(files.folder.appending(path: temporary), seconds: 3700)
    #expect(try await files.keys() == [])
    #expect(files.paths == [])
  }

  @Test func `a full disk leaves nothing of the file, and the others stay`() async throws {
    let files = try TestFiles()
    let key = FileKey.random()
    try await files.put(sample(1000), key)
    // The limit of a process for the size of a file stands for a full disk, in a process of its own.
    await #expect(processExitsWith: .success) { [path = files.folder.path as String] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 50_000, rlim_max: 50_000)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0)
      let store = try FolderFiles(path: path)
      let key = FileKey(session: SessionKey(.random()), id: .random())
      let writer = try await store.create(key)
      try await writer.write([UInt8](repeating: 1, count: 40_000))
      let error = await failure { try await writer.write([UInt8](repeating: 1, count: 40_000)) }
      #expect(error as? FileStoreError == .full)
      let later = await failure { try await writer.finish() }
      #expect(later as? FileStoreError == .missing)
      store.close()
    }
    #expect(files.paths == [String(key.path.dropLast(23)), key.path])
    #expect(try await files.get(key) == sample(1000))
  }

  @Test func `a file whose session is removed meanwhile does not come back`() async throws {
    let files = try TestFiles()
    let key = FileKey.random()
    let writer = try await files.store.create(key)
    try await writer.write([1])
    try await files.store.removeAll(of: key.session)
    #expect(await failure { try await writer.finish() } as? FileStoreError == .missing)
    #expect(files.paths == [])
  }

  @Test func `a path that is no folder is an error`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "usher-file-\(UUID().uuidString)")
    try Data().write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    for path in [file.path, "\(file.path)/below"] {
      let error = #expect(throws: FileStoreError.self) { try FolderFiles(path: path) }
      #expect(error.map { "\($0)" }?.contains(path) == true)
    }
  }

  @Test func `a folder that was removed is not ready`() async throws {
    let files = try TestFiles()
    try await files.store.checkReady()
    try FileManager.default.removeItem(at: files.folder)
    #expect(await failure { try await files.store.checkReady() } is FileStoreError)
    #expect(await failure { try await files.store.create(.random()) } is FileStoreError)
  }
}
