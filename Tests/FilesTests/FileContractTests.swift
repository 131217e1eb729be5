import Files
import Sessions
import TestSupport
import Testing
import Values

/// The contract of every store of files.
@Suite(.limitedConcurrency) struct FileContractTests {
  @Test(arguments: FileStoreKind.allCases, [0, 1, 65_535, 65_536, 65_537, 300_000])
  func `a file has the bytes that were written, and its facts`(kind: FileStoreKind, count: Int) async throws {
    let files = try TestFiles(kind)
    let (key, bytes) = (FileKey.random(), [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + sample(count))
    let received = try await files.put(count == 0 ? [] : bytes, key)
    #expect(try await files.get(key) == (count == 0 ? [] : bytes))
    #expect(received.size == (count == 0 ? 0 : Int64(bytes.count)))
    #expect(received.type == (count == 0 ? "text/plain" : "image/png"))
    if count == 0 {
      #expect(received.sha256 == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }
  }

  @Test(arguments: FileStoreKind.allCases)
  func `the digest is that of all bytes`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let received = try await files.put(Array("abc".utf8), .random(), pieces: 1)
    #expect(received.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test(arguments: FileStoreKind.allCases)
  func `a range is clamped to the file`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let (key, bytes) = (FileKey.random(), sample(200_000))
    try await files.put(bytes, key)
    #expect(try await files.store.open(key).size == 200_000)
    for range in [0..<1, 0..<200_000, 65_536..<65_537, 65_535..<131_073, 199_999..<200_000] as [Range<Int64>] {
      #expect(try await files.get(key, range) == Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)]))
    }
    #expect(try await files.get(key, 199_998..<900_000) == Array(bytes.suffix(2)))
    #expect(try await files.get(key, 200_000..<900_000) == [])
    #expect(try await files.get(key, 5..<5) == [])
  }

  @Test(arguments: FileStoreKind.allCases)
  func `a file exists once its writer has finished`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let key = FileKey.random()
    let writer = try await files.store.create(key)
    try await writer.write([1])
    #expect(await failure { try await files.get(key) } as? FileStoreError == .missing)
    #expect(try await files.keys() == [])
    _ = try await writer.finish()
    #expect(try await files.get(key) == [1])
    #expect(try await files.keys() == [key])
  }

  @Test(arguments: FileStoreKind.allCases)
  func `nothing is left of a file that is abandoned or whose writer is released`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let key = FileKey.random()
    let writer = try await files.store.create(key)
    try await writer.write(sample(100_000))
    await writer.abandon()
    await writer.abandon()
    do {
      let released = try await files.store.create(key)
      try await released.write([1])
    }
    #expect(await failure { try await files.get(key) } as? FileStoreError == .missing)
    #expect(await eventually { files.paths == [] && files.store.usage.memory == 0 })
  }

  @Test(arguments: FileStoreKind.allCases)
  func `a writer that has ended takes no more bytes`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let key = FileKey.random()
    let writer = try await files.store.create(key)
    _ = try await writer.finish()
    let abandoned = try await files.store.create(.random())
    await abandoned.abandon()
    for writer in [writer, abandoned] {
      #expect(await failure { try await writer.write([1]) } as? FileStoreError == .missing)
      #expect(await failure { try await writer.finish() } as? FileStoreError == .missing)
      await writer.abandon()
    }
    #expect(try await files.get(key) == [])
  }

  @Test(arguments: FileStoreKind.allCases)
  func `a second file of a key replaces the first one`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let key = FileKey.random()
    try await files.put(sample(100), key)
    try await files.put([7], key)
    #expect(try await files.get(key) == [7])
    #expect(try await files.keys() == [key])
    #expect(files.store.usage.memory == (kind == .memory ? 1 : 0))
  }

  @Test(arguments: FileStoreKind.allCases)
  func `a removed file is missing, and its removal can be repeated`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let (key, other) = (FileKey.random(), FileKey.random())
    try await files.put([1], key)
    try await files.put([2], other)
    for _ in 1...2 { try await files.store.remove(key) }
    #expect(await failure { try await files.get(key) } as? FileStoreError == .missing)
    #expect(try await files.get(other) == [2])
  }

  @Test(arguments: FileStoreKind.allCases)
  func `all files of a session are removed, and those of others stay`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let (session, other) = (SessionKey(.random()), FileKey.random())
    for _ in 1...5 { try await files.put([1], .random(of: session)) }
    try await files.put([2], other)
    for _ in 1...2 { try await files.store.removeAll(of: session) }
    #expect(try await files.keys() == [other])
    #expect(try await files.get(other) == [2])
    if kind == .folder {
      #expect(files.paths.allSatisfy { $0.contains(other.session.hexadecimal) })
    }
  }

  @Test(arguments: FileStoreKind.allCases, [1, 3, 25, 26])
  func `pages list every file once, in ascending order`(kind: FileStoreKind, limit: Int) async throws {
    let files = try TestFiles(kind)
    let sessions = (0..<5).map { _ in SessionKey(.random()) }
    let keys = sessions.flatMap { session in (0..<5).map { _ in FileKey.random(of: session) } }
    for key in keys { try await files.put([1], key) }
    #expect(try await files.keys(limit: limit) == keys.sorted())
    for key in keys { try await files.store.remove(key) }
    #expect(try await files.keys(limit: limit) == [])
  }

  @Test(arguments: FileStoreKind.allCases)
  func `only files before the time are listed`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let before = TimeSource.system.now() + -60
    let key = FileKey.random()
    try await files.put([1], key)
    #expect(try await files.keys(olderThan: before) == [])
    #expect(try await files.keys(olderThan: TimeSource.system.now() + 60) == [key])
  }

  @Test(arguments: FileStoreKind.allCases)
  func `many files are written and read at once`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let session = SessionKey(.random())
    let keys = try await withThrowingTaskGroup(of: FileKey.self) { group in
      for number in 0..<100 {
        group.addTask {
          let key = FileKey.random(of: session)
          try await files.put(sample(20_000 + number), key, pieces: 1000)
          #expect(try await files.get(key) == sample(20_000 + number))
          return key
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(try await files.keys() == keys.sorted())
    #expect(await eventually { files.store.usage.writers == 0 })
  }

  @Test(arguments: FileStoreKind.allCases)
  func `uploads succeed while the last file of their session is removed`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    let session = SessionKey(.random())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<20 {
            let key = FileKey.random(of: session)
            try await files.put([1], key)
            #expect(try await files.get(key) == [1])
            try await files.store.remove(key)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(files.paths == [])
  }

  @Test(arguments: FileStoreKind.allCases)
  func `writers are counted until they are released`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    do {
      let writers = [try await files.store.create(.random()), try await files.store.create(.random())]
      #expect(files.store.usage.writers == 2)
      await writers[0].abandon()
      _ = try await writers[1].finish()
    }
    #expect(await eventually { files.store.usage.writers == 0 })
  }

  @Test(arguments: FileStoreKind.allCases)
  func `a closed store refuses work`(kind: FileStoreKind) async throws {
    let files = try TestFiles(kind)
    try await files.store.checkReady()
    files.store.close()
    #expect(await failure { try await files.store.create(.random()) } is FileStoreError)
    #expect(await failure { try await files.store.checkReady() } is FileStoreError)
    #expect(await failure { try await files.get(.random()) } is FileStoreError)
  }
}
