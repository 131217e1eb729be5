internal import Foundation
internal import Navigation
internal import Values

/// An event in the background during which the code of its app has ended a process.
///
/// A crash adds it to a file beside the store. Later processes do not try the event again, which would end each of them.
struct CrashedEvent: Hashable {
  let session: SessionKey
  let work: WorkID

  /// Reads the events in a file; none if there is no file.
  static func all(path: String) -> Set<CrashedEvent> {
    let content = (try? [UInt8](Data(contentsOf: URL(filePath: path)))) ?? []
    return Set(
      stride(from: 0, through: content.count - size, by: size).compactMap { start in
        SessionKey(bytes: Array(content[start..<start + 32])).map { key in
          let work = WorkID(content[start + 32..<start + size].reduce(0) { $0 << 8 | UInt32($1) })
          return CrashedEvent(session: key, work: work)
        }
      })
  }

  private static let size = 36

  /// The record in the file: the key, and the id in big-endian order.
  var encoded: [UInt8] { session.bytes + withUnsafeBytes(of: work.rawValue.bigEndian) { Array($0) } }

  static func remove(path: String) { try? FileManager.default.removeItem(atPath: path) }
}
