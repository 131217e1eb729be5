import Files
import TestSupport
import Testing

@Suite struct MemoryFilesTests {
  @Test func `finished and unfinished files together stay within the limit`() async throws {
    let files = try TestFiles(.memory, memory: 1000)
    let (first, second) = (FileKey.random(), FileKey.random())
    try await files.put(sample(600), first)
    let writer = try await files.store.create(second)
    try await writer.write(sample(400))
    #expect(files.store.usage.memory == 1000)
    #expect(await failure { try await writer.write([1]) } as? FileStoreError == .full)
    // Nothing of the refused file is left.
    #expect(files.store.usage.memory == 600)
    #expect(await failure { try await writer.finish() } as? FileStoreError == .missing)
    try await files.store.remove(first)
    #expect(files.store.usage.memory == 0)
    try await files.put(sample(1000), second)
    #expect(try await files.get(second) == sample(1000))
  }

  @Test func `a file that is open stays readable after its removal`() async throws {
    let files = try TestFiles(.memory)
    let key = FileKey.random()
    try await files.put(sample(100), key)
    let reading = try await files.store.open(key)
    try await files.store.remove(key)
    var bytes: [UInt8] = []
    for try await piece in reading.pieces() { bytes += piece }
    #expect(bytes == sample(100))
  }
}
