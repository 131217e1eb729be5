internal import Foundation
internal import Navigation

/// An event in the background during which the code of its app has ended the process.
///
/// A crash leaves it in a file beside the store. The next process does not try the event again, which would end every
/// process after it.
struct CrashedEvent: Equatable {
  let session: SessionKey
  let work: WorkID

  init(_ session: SessionKey, _ work: WorkID) {
    self.session = session
    self.work = work
  }

  /// Reads the file of an earlier process. Returns nil if there is none, or it has something else.
  init?(path: String) {
    guard let content = try? [UInt8](Data(contentsOf: URL(filePath: path))), content.count == 36,
      let session = SessionKey(bytes: Array(content.prefix(32)))
    else { return nil }
    self.init(session, WorkID(content.suffix(4).reduce(0) { $0 << 8 | UInt32($1) }))
  }

  /// The content of the file: the key, and the id in big-endian order.
  var encoded: [UInt8] { session.bytes + withUnsafeBytes(of: work.rawValue.bigEndian) { Array($0) } }

  static func remove(path: String) { try? FileManager.default.removeItem(atPath: path) }
}
