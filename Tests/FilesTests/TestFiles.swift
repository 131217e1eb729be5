import Files
import Foundation
import Sessions
import Testing
import Values

/// The stores that the contract applies to.
enum FileStoreKind: String, CaseIterable, CustomTestStringConvertible {
  case folder, memory

  var testDescription: String { rawValue }
}

/// A store of files for one test. The store and its folder end with the instance.
final class TestFiles: Sendable {
  let store: any FileStore
  /// The folder of a store that has one.
  let folder: URL

  init(_ kind: FileStoreKind = .folder, memory: Int = 64 << 20) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "usher-files-\(UUID().uuidString)")
    store =
      switch kind {
      case .folder: try FolderFiles(path: folder.path)
      case .memory: MemoryFiles(limit: memory)
      }
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Stores a file in pieces of a size.
  @discardableResult
  func put(_ bytes: [UInt8], _ key: FileKey, pieces size: Int = 10_000) async throws -> ReceivedFile {
    let writer = try await store.create(key)
    for start in stride(from: 0, to: bytes.count, by: size) {
      try await writer.write(Array(bytes[start..<min(bytes.count, start + size)]))
    }
    return try await writer.finish()
  }

  func get(_ key: FileKey, _ range: Range<Int64>? = nil) async throws -> [UInt8] {
    var bytes: [UInt8] = []
    for try await piece in try await store.open(key).pieces(range) {
      #expect((1...FilePieces.pieceSize).contains(piece.count))
      bytes += piece
    }
    return bytes
  }

  /// All keys, by pages.
  func keys(olderThan time: Timestamp = .distant, limit: Int = 100) async throws -> [FileKey] {
    var keys: [FileKey] = []
    while true {
      let page = try await store.files(olderThan: time, after: keys.last, limit: limit)
      keys += page
      if page.count < limit { return keys }
    }
  }

  /// The paths of everything in the folder but the shards, relative to it, in ascending order.
  var paths: [String] {
    let all = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return all.filter { $0.utf8.count > 2 }.sorted()
  }
}

extension Timestamp {
  /// A time after every test.
  static let distant = Timestamp(milliseconds: .max)
}

extension FileKey {
  static func random(of session: SessionKey = SessionKey(.random())) -> FileKey {
    FileKey(session: session, id: .random())
  }

  /// The path of the file below the folder of a store.
  var path: String { "\(session.hexadecimal.prefix(2))/\(session.hexadecimal)/\(id.text)" }
}

/// Bytes that differ from piece to piece.
func sample(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) } }
