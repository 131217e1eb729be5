internal import Cryptography
internal import Values

/// Determines the facts about a file from its bytes while they arrive.
struct ContentRecorder: ~Copyable, Sendable {
  private(set) var size: Int64 = 0
  private var hash = SHA256()
  /// The first bytes of the file, up to the number that decides about its type.
  private var head: [UInt8] = []

  mutating func record(_ bytes: [UInt8]) {
    size += Int64(bytes.count)
    hash.update(bytes)
    if head.count < ContentType.headSize { head += bytes.prefix(ContentType.headSize - head.count) }
  }

  /// Returns the facts, and begins anew.
  mutating func finish() -> ReceivedFile {
    let file = ReceivedFile(
      size: size, sha256: hash.finish().hexadecimal,
      type: ContentType.name(of: head, isComplete: size == Int64(head.count)))
    (size, head) = (0, [])
    return file
  }
}
